import { createRandom } from '@cachescope/model/statistics/random.ts';
import { normalVariate } from '@cachescope/model/statistics/resampled-median.ts';
import { expect, test } from 'vitest';
import { breakEvens } from './break-even.ts';
import {
  breakEvenFinding,
  breakEvenSentence,
  breakEvenWords,
  isBreakEvenKnown,
} from './break-even-words.ts';
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

test.each([
  ['slower above where the lines cross', model('dcb', 6, 13), 'above', 0.5],
  ['slower below where the lines cross', model('dcb', 14, 3), 'below', 2],
  ['slower at every delay', model('dcb', 12, 13), 'always', null],
  ['slower at no delay', model('dcb', 6, 4), 'never', null],
])('%s', (_, dcb, slower, delayMs) => {
  const [hits] = breakEvens(dcb, brotli, null);
  expect(hits).toMatchObject({ slower, delayMs, savedMs: 0, networkBitsPerSecond: null });
});

test('the network saving is subtracted from the hit, at each rate', () => {
  const [hits, slow, fast] = breakEvens(model('dcb', 6, 13), brotli, 100_000, [1e6, 100e6]);
  expect(hits?.delayMs).toBe(0.5);
  expect(slow).toMatchObject({ savedMs: 800, delayMs: (4 + 800) / 8 });
  expect(fast).toMatchObject({ savedMs: 8, delayMs: (4 + 8) / 8 });
});

test('the interval contains the crossings of the resamples, and is wider with few launches', () => {
  const [hits] = breakEvens(model('dcb', 6, 13, 2), model('br', 10, 5), null);
  // Bases of 5 to 7 ms cross at 0.375 to 0.625.
  expect(hits?.interval?.low).toBeLessThan(0.5 - 0.95 * 0.125);
  expect(hits?.interval?.low).toBeGreaterThan(0.3);
  expect(hits?.interval?.high).toBeGreaterThan(0.5 + 0.95 * 0.125);
  expect(hits && breakEvenWords(hits)).toMatch(/^above 0\.5 \[0\.3\d*, 0\.6\d*\] ms$/);
  expect(hits && breakEvenSentence(hits)).toMatch(
    /^The hit costs more above 0\.5 .* a device read\.$/,
  );
});

test('an interval end is open when resamples put it at 0', () => {
  const [hits] = breakEvens(model('dcb', 9.9, 13, 2), brotli, null);
  expect(hits?.interval?.low).toBeNull();
  expect(hits?.interval?.high).toBeGreaterThan(0.1);
});

test('of a hit that is slower below a delay, resamples that are slower at every delay are above it', () => {
  const [hits] = breakEvens(model('dcb', 14, 4.6, 0, 5, 1.2), brotli, null);
  expect(hits).toMatchObject({ slower: 'below', interval: { high: null } });
  // Of 5 launches, waits of 4 to 5.2 are widened to 3.65 to 5.55; at 2.5 % they are 3.7.
  expect(hits?.interval?.low).toBeCloseTo(4 / (5 - 3.7), 1);
  // Bases of 9.5 to 18.5 ms: 1 in 18 resamples is slower at no delay.
  const [fast] = breakEvens(model('dcb', 14, 3, 9), brotli, null);
  expect(fast).toMatchObject({ slower: 'below', delayMs: 2, interval: { low: null } });
  expect(fast?.interval?.high).toBeGreaterThan(4);
  expect(fast?.interval?.high).toBeLessThan(8);
});

test('a sentence about a hit names the devices for which the run does not show it', () => {
  const [above] = breakEvens(model('dcb', 6, 13, 2), brotli, null);
  const sentenceWith = (low: number | null, high: number | null) =>
    above && breakEvenSentence({ ...above, interval: { low, high } });
  expect(sentenceWith(0.4, 0.6)).toBe('The hit costs more above 0.5 [0.4, 0.6] ms a device read.');
  expect(sentenceWith(0.4, null)).toBe(
    'The hit costs more above 0.5 [0.4, ∞] ms a device read; for slower devices this run does not show it.',
  );
  expect(sentenceWith(null, null)).toBe('The run does not show where the hit costs more.');
});

test('the finding is about the side of the delay that the interval shows', () => {
  const [above] = breakEvens(model('dcb', 6, 13, 2), brotli, null);
  const findingWith = (low: number | null, high: number | null, slower: 'above' | 'below') =>
    above && breakEvenFinding({ ...above, slower, interval: { low, high } });
  const start = 'Break-even delay: DCB is';
  const to = 'than Brotli where a device read takes';
  const unknown = (devices: string) =>
    `; for ${devices} devices this run does not show which is faster.`;
  expect([
    findingWith(0.4, 0.6, 'above'),
    findingWith(null, 0.6, 'above'),
    findingWith(0.4, null, 'above'),
    findingWith(null, 0.6, 'below'),
    findingWith(0.4, null, 'below'),
  ]).toEqual([
    `${start} slower ${to} more than 0.5 ms (95 % interval 0.4 to 0.6).`,
    `${start} slower ${to} more than 0.5 ms (95 % interval 0 to 0.6)${unknown('faster')}`,
    `${start} faster ${to} less than 0.5 ms (95 % interval 0.4 or more)${unknown('slower')}`,
    `${start} faster ${to} more than 0.5 ms (95 % interval 0 to 0.6)${unknown('faster')}`,
    `${start} slower ${to} less than 0.5 ms (95 % interval 0.4 or more)${unknown('slower')}`,
  ]);
});

test('a hit that is slower at every delay by a small amount is not shown to be', () => {
  const [sure] = breakEvens(model('dcb', 12, 13), brotli, null);
  const [unsure] = breakEvens(model('dcb', 10.5, 13, 8), brotli, null);
  expect([sure?.slower, sure?.isShown]).toEqual(['always', true]);
  expect([unsure?.slower, unsure?.isShown]).toEqual(['always', false]);
  expect(unsure && breakEvenWords(unsure)).toBe('always, not shown');
  expect(unsure && breakEvenSentence(unsure)).toBe(
    'The hit costs more at every delay, which is not shown.',
  );
});

test('with one launch nothing is shown: all resamples are this launch', () => {
  const [hits] = breakEvens(model('dcb', 10.01, 6.001, 0, 1), model('br', 10, 6, 0, 1), null);
  expect(hits).toMatchObject({ slower: 'always', isShown: false, interval: null });
  expect(hits && isBreakEvenKnown(hits)).toBe(false);
});

test('with one launch a delay says that its interval is unknown', () => {
  const [hits] = breakEvens(model('dcb', 6, 13, 0, 1), model('br', 10, 5, 0, 1), null);
  expect(hits).toMatchObject({ slower: 'above', delayMs: 0.5, interval: null });
  expect(hits && breakEvenWords(hits)).toBe('above 0.5 ms, interval unknown');
  expect(hits && breakEvenSentence(hits)).toBe(
    'The hit costs more above 0.5 ms a device read; its 95 % interval is unknown.',
  );
  expect(hits && breakEvenFinding(hits)).toBe(
    'Break-even delay: DCB is slower than Brotli where a device read takes more than 0.5 ms (95 % interval unknown).',
  );
});

test('resamples of few launches are widened before they are counted', () => {
  // All bases are from 0.1 to 0.9 ms larger.
  const slower = (launches: number) =>
    breakEvens(model('dcb', 10.5, 5, 0.8, launches), model('br', 10, 5, 0, launches), null)[0];
  expect(slower(30)).toMatchObject({ slower: 'always', isShown: true });
  expect(slower(3)).toMatchObject({ slower: 'always', isShown: false });
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
      const measured = (arm: 'br' | 'dcb', baseMs: number) =>
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
      const [dcb, br] = [measured('dcb', 9), measured('br', 12)];
      const [hits] = dcb && br ? breakEvens(dcb, br, null) : [];
      if (hits?.slower === 'above' && hits.interval?.high !== null) shown++;
    }
    // One side of a 95 % interval; 300 trials vary by less than 3 %.
    expect(shown / trials).toBeLessThan(0.055);
  },
);
