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

const open: Partial<BreakEven> = {
  slower: 'above',
  delayMs: 6,
  interval: { low: null, high: null },
};
const always: Partial<BreakEven> = { slower: 'always', delayMs: null, interval: null };

/** Models whose waits have no known interval, as with one launch. */
const unknownWaits = explained.models.map((model) => ({ ...model, waitsInterval: null }));

test('a break-even with an interval that is open at both ends is no answer', () => {
  const answer = answerWith({ ...withBreakEvens(open), models: unknownWaits });
  expect(answer).toMatch(/^Not decided: this run does not show whether a hit is faster/);
  expect(answer).not.toContain('At 50 Mbit/s');
  const bounded = answerWith(withBreakEvens({ ...open, interval: { low: 5, high: 7 } }));
  expect(bounded).toMatch(
    /^It depends on the device: the break-even latency of a device read is 6 ms \(95 % interval 5 to 7\)/,
  );
  expect(bounded).toContain('At 50 Mbit/s');
});

test('without an interval the answer speaks of the side on which the other form costs more', () => {
  const answerOf = (slower: 'above' | 'below') =>
    answerWith(withBreakEvens({ ...open, slower, interval: null }));
  expect(answerOf('above')).toMatch(/is 6 ms .* Above it, .* stored as Brotli; for faster/);
  expect(answerOf('below')).toMatch(/is 6 ms .* Below it, .* stored as Brotli; for slower/);
});

test('for devices on the open side of the interval the answer says that the run does not show it', () => {
  const answerOf = (slower: 'above' | 'below', low: number | null, high: number | null) =>
    answerWith(withBreakEvens({ ...open, slower, interval: { low, high } }));
  const above = 'Above it, a hit is faster if the body is stored';
  const below = 'Below it, a hit is faster if the body is stored';
  expect(answerOf('above', 5, 7)).toContain(`${above} as Brotli. ${below} decoded.`);
  expect(answerOf('below', 5, 7)).toContain(`${above} decoded. ${below} as Brotli.`);
  expect(answerOf('above', null, 7)).toContain(`${above} as Brotli; for faster devices`);
  const slow = answerOf('above', 5, null);
  expect(slow).toContain(`${below} decoded; for slower devices this run does not show`);
  // There the run does not show that a hit ever costs more than the network saved.
  expect(slow).not.toContain('At 50 Mbit/s');
  expect(answerOf('below', null, 7)).toContain(`${above} decoded; for faster devices`);
  expect(answerOf('below', 5, null)).toContain(`${below} as Brotli; for slower devices`);
});

test('where only the bases are too similar the answer is for slow devices, and needs known waits', () => {
  const unshown = withBreakEvens({ ...always, isShown: false });
  expect(answerWith(unshown)).toMatch(/^On a slow device yes: /);
  expect(answerWith({ ...unshown, models: unknownWaits })).toMatch(/^Not decided: /);
  expect(answerWith(withBreakEvens({ ...always, isShown: true }))).toMatch(/^Yes: /);
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
  const verdict = explained.whatIfs.find((each) => each.verdict !== null)?.verdict;
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
