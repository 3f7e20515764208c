import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { savedSweep } from '../sweep/run.ts';
import { summarize } from '../sweep/summary.ts';
import { type CacheHistograms, histogramDisagreements } from './cache-histograms.ts';

const none = { count: 0, sumMs: 0 };
/** Nine reads of 326,029 bytes, in the bucket that Chromium 156 uses for this size. */
const nine: CacheHistograms = {
  hits: 9,
  others: 1,
  contentBytes: [{ low: 307_420, high: 370_017, count: 54 }],
  open: none,
  used: none,
};

test('equal counts of hits and reads, and stored sizes, are no disagreement', () => {
  expect(histogramDisagreements(nine, { reads: 9, storedBytes: [326_642, 12] })).toEqual([]);
});

test('a read that the network served is missing from the hits', () => {
  expect(histogramDisagreements(nine, { reads: 10, storedBytes: [326_642] })).toEqual([
    'HttpCache.Pattern counts 9 hits, and 10 reads were made',
  ]);
});

test('where reads of the disk fail on purpose, those that the network served are no disagreement', () => {
  const seen = { reads: 10, storedBytes: [326_642] };
  expect(histogramDisagreements(nine, { ...seen, fallbacks: 1 })).toEqual([]);
  expect(histogramDisagreements(nine, { ...seen, reads: 11, fallbacks: 1 })).toHaveLength(1);
  expect(histogramDisagreements(nine, { ...seen, reads: 8, fallbacks: 1 })).toHaveLength(1);
});

test("a body size that no entry has is reported, unless an entry's size is unknown", () => {
  const [problem] = histogramDisagreements(nine, { reads: 9, storedBytes: [1_037_847] });
  expect(problem).toContain('307420 to 370016 bytes');
  expect(histogramDisagreements(nine, { reads: 9, storedBytes: [1_037_847, null] })).toEqual([]);
});

test('the samples of a launch with a disagreement are flagged and excluded from the statistics', () => {
  const { run, samples } = madeUpRun();
  const launch = samples[0]?.launch ?? 0;
  const told = { ...nine, launch, reads: 10, disagreements: ['one'] };
  const document = savedSweep.join({ ...run, histograms: [told] }, samples, []);
  const of = document.samples.filter((sample) => sample.launch === launch);
  expect(of.length).toBeGreaterThan(0);
  expect(of.every(({ flags }) => flags.includes('histograms'))).toBe(true);
  const timed = of.filter(({ kind }) => kind === 'timed').length;
  expect(summarize(run, document.samples).counts.flagged.histograms).toBe(timed);
  expect(savedSweep.join(run, samples, []).samples).toEqual(samples);
});
