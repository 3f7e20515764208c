import { expect, test } from 'vitest';
import { explain } from './analysis.ts';
import { explanationAnswer } from './answer.ts';
import type { BreakEven } from './break-even.ts';
import type { Explanation } from './explanation.ts';
import type { FirstLoadGap } from './first-load.ts';
import { explainedSweep } from '../fixtures/explain.ts';
import { readsOf } from '../sweep/reads.ts';
import { summarize } from '../sweep/summary.ts';

const { run, samples } = explainedSweep();
const summary = summarize(run, samples);
const explained = explain(run, summary, readsOf(samples), []);

/** The answer of the explained run with other findings. */
function answerWith(found: Partial<Explanation>): string {
  return explanationAnswer(run, summary, { ...explained, ...found }).join(' ');
}

function withBreakEvens(change: Partial<BreakEven>): Partial<Explanation> {
  return { breakEvens: explained.breakEvens.map((each) => ({ ...each, ...change })) };
}

const none: Partial<BreakEven> = { slower: null, delayMs: null, interval: null };
const shown: Partial<BreakEven> = { slower: 'above', delayMs: 6, interval: { low: 5, high: 7 } };

test('a break-even says which form is faster on each side of it', () => {
  const answerOf = (slower: 'above' | 'below') => answerWith(withBreakEvens({ ...shown, slower }));
  const above = 'Above it, a hit is faster if the body is stored';
  const below = 'Below it, a hit is faster if the body is stored';
  expect(answerOf('above')).toMatch(
    /^It depends on the device: the break-even latency of a device read is 6 ms \(95 % interval 5 to 7\)/,
  );
  expect(answerOf('above')).toContain(`${above} as Brotli. ${below} decoded.`);
  expect(answerOf('above')).toContain('At 50 Mbit/s');
  expect(answerOf('below')).toContain(`${above} decoded. ${below} as Brotli.`);
});

test('without a break-even the verdicts of the sweep answer, at the measured delays only', () => {
  const answerAt = (direction: (place: number) => 'greater' | 'lesser' | null) => {
    const points = summary.points.map((point, place) => ({
      ...point,
      gaps: point.gaps.map((gap) => {
        const way = direction(place);
        const outcome = way === null ? ('UNKNOWN' as const) : ('DIFFERENT' as const);
        return { ...gap, verdict: { ...gap.verdict, outcome, direction: way } };
      }),
    }));
    const found = { ...explained, ...withBreakEvens(none) };
    return explanationAnswer(run, { ...summary, points }, found).join(' ');
  };
  expect(answerAt(() => 'greater')).toMatch(
    /^Yes, at every measured delay, between [\d.]+ and [\d.]+ ms a device read: a hit is faster if the body is stored as Brotli\./,
  );
  expect(answerAt(() => 'lesser')).toMatch(/^No, at every measured delay, /);
  const open = answerAt((place) => (place < 2 ? null : 'greater'));
  expect(open).toMatch(/^Not decided: no break-even between .* is shown\. DCB .* against Brotli/);
  expect(open).toContain('slower at');
  expect(open).not.toContain('At 50 Mbit/s');
});

test('the waits depend on the stored bytes only where their model fits', () => {
  const { waitModel } = explained;
  if (!waitModel) throw new Error('no model of the waits');
  expect(answerWith({})).toContain('The waits depend on the stored bytes, not on their coding');
  const poor = answerWith({ waitModel: { ...waitModel, medianErrorShare: 0.51 } });
  expect(poor).toContain('Chromium stores the DCB response in ');
  expect(poor).not.toContain('The waits depend');
});

test('a first load reads the dictionary where it reads about as many bytes more', () => {
  const verdict = explained.formTimes.find((each) => each.verdict !== null)?.verdict;
  if (!verdict) throw new Error('no verdict');
  const load: FirstLoadGap = {
    storage: 'nbd-delay',
    requestedDelayMs: 5,
    of: 'dcb',
    against: 'br',
    ofMs: 95,
    againstMs: 96,
    differenceMs: -1,
    lowMs: -3,
    highMs: 1,
    ofDeviceReads: 12,
    againstDeviceReads: 11.5,
    ofDeviceReadBytes: 0,
    againstDeviceReadBytes: 4096,
    flagged: 0,
    verdict: { ...verdict, outcome: 'UNKNOWN' },
    sentence: '',
  };
  const answerFor = (ofDeviceReadBytes: number | null) =>
    answerWith({ firstLoads: [{ ...load, ofDeviceReadBytes }] });
  expect(answerFor(1_100_000)).toContain('A first load does read the dictionary: on a device with');
  expect(answerFor(50_000)).toContain('A first load: on a device with 5 ms');
  expect(answerFor(50_000)).toContain('(no difference shown), with 12 device reads against 11.5.');
  expect(answerFor(null)).toContain('A first load: on a device with');
});
