import { createRandom } from '@cachescope/model/statistics/random.ts';
import { normalVariate } from '../fixtures/normal-variate.ts';
import { expect, test } from 'vitest';
import type { Gap, SweepPoint } from '../sweep/result.ts';
import { type BreakEven, breakEvens, savingsAt } from './break-even.ts';
import { breakEvenFinding, breakEvenSentence, breakEvenWords } from './break-even-words.ts';
import { type HitModel, hitModel } from './hit-model.ts';

function model(
  arm: 'br' | 'dcb',
  baseMs: number,
  waits: number,
  scatter = 0,
  launches = 5,
  waitsScatter = 0,
): HitModel {
  const points = [0, 5, 10].map((delayMs) => ({
    delayMs,
    requestedDelayMs: delayMs,
    medianMs: baseMs + waits * delayMs,
    lowMs: null,
    highMs: null,
    launches,
    predictedMs: 0,
    residualMs: 0,
    residualShare: 0,
    isOff: false,
    isExcluded: false,
  }));
  // Bases and waits spread evenly around the true ones.
  const draws = Array.from({ length: 400 }, (_, draw) => ({
    intercept: baseMs + scatter * (draw / 399 - 0.5),
    slope: waits + waitsScatter * (draw / 399 - 0.5),
  }));
  const none = { baseInterval: null, waitsInterval: null, why: null, curvature: null };
  return { series: { arm }, baseMs, waits, points, verdict: 'holds', draws, ...none };
}

const brotli = model('br', 10, 5);

/** The measured gap of DCB at each delay of the device: `gapMs`, known to `halfMs`. */
function measured(gapMs: (delayMs: number) => number, halfMs = 0.5): SweepPoint[] {
  return [0, 5, 10].map((delayMs) => {
    const ms = gapMs(delayMs);
    const gap = { of: { arm: 'dcb' }, against: { arm: 'br' }, ms } as Gap;
    return {
      storage: 'nbd-live',
      requestedDelayMs: delayMs,
      measuredDelayMs: { p50: delayMs, p95: delayMs },
      gaps: [{ ...gap, lowMs: ms - halfMs, highMs: ms + halfMs }],
    } as unknown as SweepPoint;
  });
}

/** The break-even of the hits alone, with gaps that the models fit. */
function hitsOf(dcb: HitModel, halfMs = 0.5): BreakEven | undefined {
  const gapMs = (delayMs: number) => dcb.baseMs - 10 + (dcb.waits - 5) * delayMs;
  return breakEvens(dcb, brotli, [], measured(gapMs, halfMs))[0];
}

test('slower above or below the delay where the lines cross', () => {
  expect(hitsOf(model('dcb', 6, 13, 0.1))).toMatchObject({ slower: 'above', delayMs: 0.5 });
  expect(hitsOf(model('dcb', 14, 3, 0.1))).toMatchObject({ slower: 'below', delayMs: 2 });
});

test('the network saving is subtracted from the hit, at each rate', () => {
  const dcb = model('dcb', 6, 13, 0.1);
  const points = measured((delayMs) => 8 * delayMs - 4);
  const [hits, slow, fast] = breakEvens(dcb, brotli, savingsAt(100_000, [1e6, 100e6]), points);
  expect(hits).toMatchObject({ delayMs: 0.5, savedMs: 0, networkBitsPerSecond: null });
  // 100.5 ms of delay are outside of what was measured.
  expect(slow).toMatchObject({ savedMs: 800, slower: null, delayMs: null });
  expect(fast).toMatchObject({ savedMs: 8, delayMs: (4 + 8) / 8 });
});

test('the interval of the extra time reaches 0 where that of the break-even ends', () => {
  const { interval, extra = [], measuredMs } = hitsOf(model('dcb', 8, 6, 1)) ?? {};
  const delays = extra.map(({ delayMs }) => delayMs);
  expect([delays[0], delays.at(-1)]).toEqual([measuredMs?.low, measuredMs?.high]);
  // Of an upward line, the high end is at 0 where the earliest crossings are.
  const zeroOf = (end: 'lowMs' | 'highMs') => {
    const after = extra.findIndex((each) => each[end] > 0);
    const [one, other] = [extra[after - 1], extra[after]];
    if (!one || !other) return undefined;
    return one.delayMs + ((other.delayMs - one.delayMs) * -one[end]) / (other[end] - one[end]);
  };
  expect(zeroOf('highMs')).toBeCloseTo(interval?.low ?? Number.NaN, 1);
  expect(zeroOf('lowMs')).toBeCloseTo(interval?.high ?? Number.NaN, 1);
  const [withSaving] = breakEvens(model('dcb', 8, 6, 1), brotli, savingsAt(1000), []).slice(1);
  expect(withSaving?.extra).toBeUndefined();
});

test('the interval contains the crossings of the resamples', () => {
  const hits = hitsOf(model('dcb', 6, 13, 2));
  // Bases of 5 to 7 ms cross at 0.375 to 0.625; with few launches the interval is wider.
  expect(hits?.interval?.low).toBeLessThan(0.5 - 0.95 * 0.125);
  expect(hits?.interval?.low).toBeGreaterThan(0.3);
  expect(hits?.interval?.high).toBeGreaterThan(0.5 + 0.95 * 0.125);
  expect(hits && breakEvenWords(hits)).toMatch(/^above 0\.5 \[0\.3\d*, 0\.6\d*\] ms$/);
  expect(hits && breakEvenSentence(hits)).toMatch(
    /^The hit costs more above 0\.5 .* a device read\.$/,
  );
  expect(hits && breakEvenFinding(hits)).toMatch(
    /^Break-even delay: DCB is slower than Brotli where a device read takes more than 0\.5 ms \(95 % interval 0\.3\d* to 0\.6\d*\)\.$/,
  );
});

// Each of these was said once: 9.4 ms (1.04 to 30) with delays up to 10 ms, `above 14,620 [4,116, ∞]`, `always, not shown`.
test.each([
  ['the lines cross beyond the delays', model('dcb', 6, 5.3, 0.1), 0.5],
  ['the interval ends beyond the delays', model('dcb', 6, 5.45, 2), 0.5],
  ['the interval reaches below the delays', model('dcb', 9.9, 13, 2), 0.05],
  ['the lines do not cross', model('dcb', 12, 13, 0.1), 0.5],
  ['no verdict on the fast side', model('dcb', 6, 13, 0.1), 5],
  ['no verdict on the slow side', model('dcb', 6, 5.8, 0.1), 4.1],
  ['two launches', model('dcb', 6, 13, 0.1, 2), 0.5],
])('no break-even is shown: %s', (_, dcb, halfMs) => {
  const hits = hitsOf(dcb, halfMs);
  expect(hits).toMatchObject({ slower: null, delayMs: null, interval: null });
  expect(hits && breakEvenWords(hits)).toBe('none shown');
  const range = 'between 0 and 10 ms a device read';
  expect(hits && breakEvenSentence(hits)).toBe(`No break-even ${range} is shown.`);
  expect(hits && breakEvenFinding(hits)).toBe(`No break-even of DCB and Brotli ${range} is shown.`);
});

test.each([3, 5])(
  'of two hits with equal waits, %d launches rarely show a delay above which one is slower',
  (launches) => {
    const delaysMs = [0, 1, 2, 5, 10];
    const random = createRandom(launches);
    const normal = normalVariate(random);
    const trials = 300;
    let shown = 0;
    for (let trial = 0; trial < trials; trial++) {
      const shared = Array.from({ length: launches }, () => 0.02 * normal());
      const resamples = Array.from({ length: 200 }, () =>
        Array.from({ length: launches }, () => Math.floor(random() * launches)),
      );
      const modelOf = (arm: 'br' | 'dcb', baseMs: number) =>
        hitModel(
          { arm },
          delaysMs.map((delayMs) => {
            const logs = shared.map((level) => level + 0.02 * normal());
            const levelOf = (drawn: readonly number[]) =>
              (baseMs + 6 * delayMs) *
              Math.exp(drawn.reduce((sum, launch) => sum + (logs[launch] ?? 0), 0) / launches);
            return {
              delayMs,
              requestedDelayMs: delayMs,
              medianMs: levelOf([...logs.keys()]),
              lowMs: null,
              highMs: null,
              launches,
              drawnMs: Float64Array.from(resamples, levelOf),
              drawnDelayMs: Float64Array.from(resamples, () => delayMs),
            };
          }),
        );
      const [dcb, br] = [modelOf('dcb', 9), modelOf('br', 12)];
      // The gaps of a measurement would decide too: here they always do.
      const decided = measured((delayMs) => (delayMs < 3 ? -5 : 5));
      const [hits] = dcb && br ? breakEvens(dcb, br, [], decided) : [];
      if (hits?.slower === 'above') shown++;
    }
    // One side of a 95 % interval; 300 trials vary by less than 3 %.
    expect(shown / trials).toBeLessThan(0.055);
  },
);
