import { expect, test } from 'vitest';
import { madeUpRun } from '../fixtures/made-up-run.ts';
import { explain } from '../explain/analysis.ts';
import type { SweepRun } from './run.ts';
import { readsOf } from './reads.ts';
import { summarize } from './summary.ts';

const { run, samples } = madeUpRun(20);
const read = { kind: 'constant', ms: 4 } as const;
const withProfile: SweepRun = {
  ...run,
  plan: { ...run.plan, profile: { name: 'disk', source: 'made up', read } },
  profileReads: [{ timesMs: Array.from({ length: 100 }, () => 4.42), takenAt: run.startedAt }],
};
/** The reads at 4 ms of delay once more, as if they came from the profile. */
const drawn = samples
  .filter(({ cell }) => cell.storage !== 'none' && cell.delayMs === 4)
  .map((sample, index) => ({
    ...sample,
    sequence: samples.length + index,
    cell: { ...sample.cell, delayMs: 0, profile: 'disk' },
  }));

test('reads from a profile leave points, slopes, break-evens and the explanation as they are', () => {
  const [before, after] = [summarize(run, samples), summarize(withProfile, [...samples, ...drawn])];
  expect(after.points).toEqual(before.points);
  expect(after.fits).toEqual(before.fits);
  expect(after.breakEvens).toEqual(before.breakEvens);
  expect(after.counts.used).toBeGreaterThan(before.counts.used);
  expect(explain(withProfile, after, readsOf([...samples, ...drawn]), [])).toEqual(
    explain(run, before, readsOf(samples), []),
  );
});

test('a profile of one latency has the medians and verdicts of that delay, and a predicted p95', () => {
  const { points, profile, finding } = summarize(withProfile, [...samples, ...drawn]);
  const same = points.find(
    ({ storage, requestedDelayMs }) => storage !== 'none' && requestedDelayMs === 4,
  );
  expect(profile?.reads.map(({ medianMs }) => medianMs)).toEqual(
    same?.arms.map(({ medianMs }) => medianMs),
  );
  expect(profile?.gaps.map(({ ms }) => ms)).toEqual(same?.gaps.map(({ ms }) => ms));
  expect(profile?.device).toEqual({ reads: 100, medianMs: 4.42, p95Ms: 4.42, p99Ms: 4.42 });
  expect(finding.join('\n')).toMatch(
    /With the read latencies of disk: DCB is slower than Brotli by/,
  );
  for (const { tail, predictedP95Ms, errorShare } of profile?.reads ?? []) {
    expect(tail.p99Ms).toBeNull();
    expect(errorShare).toBeCloseTo((predictedP95Ms ?? 0) / (tail.p95Ms ?? 0) - 1, 9);
    expect(Math.abs(errorShare ?? 1)).toBeLessThan(0.2);
  }
});

test('without constant delays, or without direct reads, nothing is predicted', () => {
  const bare = summarize({ ...withProfile, proofs: [] }, drawn).profile;
  expect(bare?.reads.map(({ predictedP95Ms }) => predictedP95Ms)).toEqual([null, null]);
  const { profileReads: _, ...unmeasured } = withProfile;
  const { profile } = summarize(unmeasured, [...samples, ...drawn]);
  expect(profile?.device).toEqual({ reads: 0, medianMs: null, p95Ms: null, p99Ms: null });
  expect(profile?.reads.map(({ errorShare }) => errorShare)).toEqual([null, null]);
  expect(summarize(run, samples)).not.toHaveProperty('profile');
});

test('with a limited bandwidth and unknown device bytes, nothing is predicted', () => {
  const { profile } = withProfile.plan;
  if (!profile) throw new Error('the run has a profile');
  const limited = { ...profile, bandwidthBytesPerSecond: 20e6 };
  const slow = { ...withProfile, plan: { ...withProfile.plan, profile: limited } };
  const all = [...samples, ...drawn];
  const uncounted = all.map((sample) => ({ ...sample, device: null }));
  const predicted = (taken: typeof all) =>
    summarize(slow, taken).profile?.reads.map(({ predictedP95Ms }) => predictedP95Ms);
  expect(predicted(all)).not.toContain(null);
  expect(predicted(uncounted)).toEqual([null, null]);
});
