import { expect, test } from 'vitest';
import {
  madeUpPass,
  madeUpReclaimPlan,
  madeUpReclaimRun,
  madeUpReclaimWindow,
} from '../fixtures/reclaim.ts';
import type { EvictionPass } from './eviction-pass.ts';
import { latencyClaims, reclaimPhases } from './latency-claim.ts';
import { limitClaim } from './limit-claim.ts';
import { memoryClaim, memoryTrend } from './memory-claim.ts';
import { type HeldMemoryLine, reclaimLineSchema } from './run.ts';
import { createRandom } from '../statistics/random.ts';
import { summarizeReclaim } from './summary.ts';

const seconds = (count: number) => Array.from({ length: count }, (_, second) => second);
const everyTen = (count: number) =>
  Array.from({ length: count }, (_, index) => madeUpPass(20_500 + 10_000 * index));

test('a pass that an older version saved as told is read as reported', () => {
  const pass = madeUpPass(20_500);
  expect(reclaimLineSchema.parse({ ...pass, how: 'told' })).toEqual(pass);
  expect(reclaimLineSchema.parse(pass)).toEqual(pass);
  expect(reclaimLineSchema.safeParse({ ...pass, how: 'guessed' }).success).toBe(false);
});

test('within the limit: supported; above it: refuted, with the excess and the duration; unknown stays unknown', () => {
  const plan = { limitEntries: 1000, limitBytes: 2_000_000 };
  const within = seconds(5).map((second) => madeUpReclaimWindow(second, { entries: 1000 }));
  expect(limitClaim(plan, within)).toMatchObject({ verdict: 'supported' });
  const beyond = seconds(5).map((second) =>
    madeUpReclaimWindow(second, { entries: second === 2 || second === 3 ? 1000 + second : 900 }),
  );
  const claim = limitClaim(plan, beyond);
  expect(claim.verdict).toBe('refuted');
  expect(claim.evidence).toContain(
    'at most 1,003 of 1,000 entries (100.3 %), beyond it by 3 in 2 sampling intervals, 2,000 ms together',
  );
  const unknown = within.map((window) => ({
    ...window,
    system: { ...window.system, entries: null, mostEntries: null },
  }));
  expect(limitClaim(plan, unknown).verdict).toBe('unknown');
  expect(limitClaim({ ...plan, limitEntries: null }, unknown).verdict).toBe('supported');
});

test('within the limit in the few samples that there are: unknown, with their number', () => {
  const plan = { limitEntries: null, limitBytes: 64 * 1024 ** 2 };
  const claim = (isKnown: (second: number) => boolean, bytes = 1024 ** 2) =>
    limitClaim(
      plan,
      seconds(120).map((second) =>
        madeUpReclaimWindow(second, { bytes: isKnown(second) ? bytes : null }),
      ),
    );
  const once = claim((second) => second === 119);
  expect(once.verdict).toBe('unknown');
  expect(once.evidence).toBe('at most 1 MiB of 64 MiB in size (1.56 %) in 1 of 120 samples');
  expect(claim((second) => second % 2 === 0).verdict).toBe('supported');
  expect(claim((second) => second % 3 === 0).verdict).toBe('unknown');
  // The end of the run is unknown.
  expect(claim((second) => second < 118).verdict).toBe('unknown');
  expect(claim((second) => second === 60, 65 * 1024 ** 2).verdict).toBe('refuted');
  expect(claim(() => true).evidence).not.toContain('samples');
});

/** Memory that follows a cache of cycles of 10 s, and grows by so much a minute. */
function sawTooth(bytesPerMinute: number, count = 320) {
  const noise = createRandom(1);
  return seconds(count).map((second) =>
    madeUpReclaimWindow(second, {
      memoryBytes:
        100e6 + 3e6 * ((second % 10) / 10) + (bytesPerMinute * second) / 60 + 1e6 * noise(),
    }),
  );
}

test('the slope of memory is estimated below its cycles, and judged over the observed time', () => {
  const trend = memoryTrend(sawTooth(1e6), everyTen(30));
  expect(trend?.of).toBe('cycles');
  expect(trend?.slope).toBeGreaterThan(0.9e6);
  expect(trend?.slope).toBeLessThan(1.1e6);
  expect(trend?.slopeInterval?.low).toBeLessThanOrEqual(1e6);
  expect(trend?.slopeInterval?.high).toBeGreaterThanOrEqual(1e6);
  // 5 MB in 5 minutes are 5 % of 100 MB: stable with 10 %, and not with 2 %.
  expect(memoryClaim(sawTooth(1e6), everyTen(30), 0.1).verdict).toBe('supported');
  expect(memoryClaim(sawTooth(1e6), everyTen(30), 0.02).verdict).toBe('refuted');
  expect(memoryClaim(sawTooth(0), everyTen(30), 0.02).verdict).toBe('supported');
});

test('when a pass covers many eviction passes, there are no cycles', () => {
  const several = everyTen(30).map((pass) => ({ ...pass, times: 50 }));
  expect(memoryTrend(sawTooth(1e6), several)?.of).toBe('stretches');
});

test('growth that garbage collection removes does not refute the claim, growth that stays does', () => {
  const held = (growth: number): HeldMemoryLine[] =>
    (['before', 'after'] as const).map((when, sequence) => {
      const heapBytes = 20e6 + (when === 'after' ? growth : 0);
      return { kind: 'held', sequence, when, atMs: 0, heapBytes, externalBytes: 1e6 };
    });
  const growing = sawTooth(10e6);
  const claim = (growth: number) => memoryClaim(growing, everyTen(30), 0.1, held(growth));
  // 512,000 bytes of the growth are the cache itself.
  expect(claim(1e6)).toMatchObject({ verdict: 'unknown' });
  expect(claim(1e6).evidence).toContain('the growth was garbage');
  expect(claim(40e6)).toMatchObject({ verdict: 'refuted' });
  expect(claim(40e6).evidence).toContain('+38.1 MiB are held after the load');
});

test('memory is not judged before the limit is reached, with too few samples, or with unknown ones', () => {
  expect(memoryClaim(sawTooth(0), [], 0.1)).toMatchObject({ verdict: 'unknown' });
  expect(memoryClaim(sawTooth(0, 30), everyTen(1), 0.1)).toMatchObject({ verdict: 'unknown' });
  const unknown = seconds(200).map((second) => madeUpReclaimWindow(second, { memoryBytes: null }));
  expect(memoryClaim(unknown, everyTen(10), 0.1)).toMatchObject({ verdict: 'unknown' });
});

test('an observed pass is in the window before its sample, not in the one that its sample reaches into', () => {
  const windows = seconds(60).map((second) => madeUpReclaimWindow(second));
  const observed = (atMs: number, durationMs: number) =>
    madeUpPass(atMs, { how: 'observed', durationMs });
  const duringOf = (...passes: EvictionPass[]) =>
    reclaimPhases(windows, passes).during.map(({ window }) => window.atMs / 1000 - 1);
  expect(duringOf(observed(21_020, 1000))).toEqual([20]);
  expect(duringOf(observed(21_020, 1000), observed(22_030, 1010))).toEqual([20, 21]);
  // A sample of several windows, and one that came late.
  expect(duringOf(observed(23_010, 3000))).toEqual([20, 21, 22]);
  expect(duringOf(observed(21_600, 1600), observed(22_020, 420))).toEqual([20, 21]);
});

test('each window has one phase: before, during or after an eviction pass', () => {
  const windows = seconds(60).map((second) => madeUpReclaimWindow(second));
  const { before, during, after } = reclaimPhases(windows, everyTen(2));
  const at = (phase: typeof before) =>
    phase.map(({ window, reclaim }) => [window.atMs / 1000 - 1, reclaim]);
  expect(at(during)).toEqual([
    [20, 0],
    [30, 1],
  ]);
  expect(at(before)).toEqual([
    [19, 0],
    [18, 0],
    [17, 0],
    [29, 1],
    [28, 1],
    [27, 1],
  ]);
  expect(at(after).slice(0, 3)).toEqual([
    [21, 0],
    [22, 0],
    [23, 0],
  ]);
});

/** Latency that is `factor` times as long in the seconds of a reclaim. */
function latencies(factor: number) {
  const noise = createRandom(2);
  return seconds(150).map((second) =>
    madeUpReclaimWindow(second, {
      latencyMs: (1 + 0.02 * noise()) * (second >= 20 && second % 10 === 0 ? factor : 1),
    }),
  );
}

test('a latency that is the same across eviction passes is supported, a different one is refuted', () => {
  const options = { windowMs: 1000, margin: 0.1, seed: 42 };
  const same = latencyClaims(latencies(1), everyTen(12), options, null);
  expect(same.map(({ verdict }) => verdict)).toEqual(Array.from({ length: 4 }, () => 'supported'));
  const slower = latencyClaims(latencies(1.5), everyTen(12), options, null);
  const verdictOf = (name: string) => slower.find((claim) => claim.name.startsWith(name))?.verdict;
  expect(verdictOf('the 99th percentile of latency during')).toBe('refuted');
  expect(verdictOf('the 99th percentile of latency after')).toBe('supported');
  // The second of two passes in a row has no window before it.
  const inARow = [...everyTen(1), madeUpPass(21_500), ...everyTen(12).slice(1)];
  expect(latencyClaims(latencies(1), inARow, options, null)[0]?.evidence).toContain(
    'this leaves out 1 sampling interval without a usable sampling interval of the other group in the same eviction pass',
  );
  expect(latencyClaims(latencies(1), everyTen(2), options, null)[0]?.verdict).toBe('unknown');
  expect(latencyClaims(latencies(1), [], options, null)[0]?.verdict).toBe('unknown');
});

test('when eviction passes never pause, the time since the first one is compared with the time before it', () => {
  const windows = seconds(120).map((second) =>
    madeUpReclaimWindow(second, { latencyMs: (second < 60 ? 1 : 2) + 0.001 * (second % 7) }),
  );
  const passes = seconds(60).map((second) => madeUpPass(60_500 + 1000 * second));
  const claims = latencyClaims(windows, passes, { windowMs: 1000, margin: 0.1 }, null);
  expect(claims.map(({ verdict }) => verdict)).toEqual(['refuted', 'refuted']);
  expect(claims[0]?.name).toContain('since the first eviction pass');
  const short = latencyClaims(windows, passes, { windowMs: 1000, margin: 0.1 }, null, true);
  expect(short.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown']);
});

/** Latency that drifts by chance: an autoregressive series, of which each window keeps 97 %. */
function drifting(seed: number) {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  let level = normal();
  return seconds(300).map((second) => {
    level = 0.97 * level + Math.sqrt(1 - 0.97 ** 2) * normal();
    return madeUpReclaimWindow(second, { latencyMs: Math.exp(0.2 * level) });
  });
}

test('a drift of the latency does not refute that it is stable', () => {
  const options = { windowMs: 1000, margin: 0.1 };
  const claimsOf = (seed: number, first: number) => {
    const passes = seconds(300 - first).map((second) => madeUpPass(1000 * (first + second) + 500));
    return latencyClaims(drifting(seed), passes, options, null);
  };
  // With each window as an observation the drift of these refuted it, and of 1 more of the first 20 seeds.
  const claims = [9, 11, 13, 17].flatMap((seed) => claimsOf(seed, 40));
  expect(claims.map(({ verdict }) => verdict)).not.toContain('refuted');
  expect(claims[0]?.evidence).toContain('medians of 3 stretches of time before and 3 since');
  expect(claims.map(({ evidence }) => evidence).join()).not.toMatch(
    /launch|more sampling intervals/,
  );
  expect(claimsOf(1, 5)[0]?.verdict).toBe('unknown');
});

test('a whole run: both hypotheses with their claims, and the finding in sentences', () => {
  const windows = seconds(330).map((second) => madeUpReclaimWindow(second, { entries: 990 }));
  const lines = [...windows, ...everyTen(30)];
  const run = { ...madeUpReclaimRun({ timeMs: 330_000 }) };
  const summary = summarizeReclaim(run, lines);
  expect(summary.hypotheses.map(({ verdict }) => verdict)).toEqual(['supported', 'supported']);
  expect(summary.finding[0]).toMatch(
    /^Supported: .* stabilise memory usage at 100 requests a second\. /,
  );
  expect(summary.reclaims).toMatchObject({
    count: 30,
    evicted: 9000,
    evictedEach: 300,
    policy: { orders: { byWrite: 1, bySize: 0.5 }, reclaims: 30 },
  });
  expect(summary.usage.cpuShare).toBeCloseTo(0.25, 12);
  expect(summary.usage.memory.most).toBe(100e6);
  expect(summary.warnings).toEqual([]);
});

test('what a limited load shows about memory holds for the rate that was sent', () => {
  const windows = seconds(330).map((second) => madeUpReclaimWindow(second, { entries: 990 }));
  const run = madeUpReclaimRun({ rateHz: 1000, timeMs: 330_000 });
  const { finding, report } = summarizeReclaim(run, [...windows, ...everyTen(30)]);
  expect(report.limitedBy).toBe('generator');
  expect(finding[0]).toMatch(
    /^Supported: .* stabilise memory usage at 100 requests a second \(1,000 were planned\)\. /,
  );
  expect(finding[1]).toMatch(
    /^Neither supported nor refuted: .* performant at 1,000 requests a second\. /,
  );
  // Ended before a second request was sent: its rate is unknown.
  const only = madeUpReclaimWindow(0);
  const load = { ...only.load, sent: 1, firstSentMs: 0, lastSentMs: 0 };
  const ended = summarizeReclaim(run, [{ ...only, load }]);
  expect(ended.report).toMatchObject({ rateHz: null, limitedBy: 'generator' });
  expect(ended.finding[0]).toMatch(
    /^Neither supported nor refuted: .* at 1,000 requests a second\. /,
  );
});

test('responses that pile up are reported, even if the requests were sent on time', () => {
  const windows = seconds(10).map((second) => madeUpReclaimWindow(second));
  const [last] = windows.slice(-1);
  const late = windows.map((window) =>
    window === last ? { ...window, load: { ...window.load, lastEndMs: 14_000 } } : window,
  );
  const verdictOf = (lines: typeof windows) =>
    summarizeReclaim(madeUpReclaimRun({ timeMs: 10_000 }), lines)
      .hypotheses.flatMap(({ claims }) => claims)
      .find(({ name }) => name === 'the system kept up with the load')?.verdict;
  expect(verdictOf(windows)).toBe('supported');
  expect(verdictOf(late)).toBe('refuted');
});

test('with many eviction passes per window all are counted, and sums of several are excluded from the median', () => {
  const several = { times: 423, durationMs: 42, longestMs: 7, evicted: 423 };
  const passes = [
    madeUpPass(100, { evicted: 1, durationMs: 0.1 }),
    madeUpPass(110, { evicted: 1, durationMs: 0.2 }),
    madeUpPass(120, several),
  ];
  const summaryOf = (lines: typeof passes) =>
    summarizeReclaim(madeUpReclaimRun(), [madeUpReclaimWindow(0), ...lines]).reclaims;
  const { count, evicted, evictedEach, durationMs, longestMs } = summaryOf(passes);
  expect([count, evicted, evictedEach]).toEqual([425, 425, 1]);
  expect(durationMs).toBeCloseTo(0.15, 12);
  expect(longestMs).toBe(7);
  // Runs that were saved before know of no several.
  expect(summaryOf(passes.slice(0, 2))).toMatchObject({ count: 2, longestMs: 0.2 });
  expect(summaryOf([])).toMatchObject({ count: 0, durationMs: null, longestMs: null });
});

test('a failure refutes the claim, and a load limited by the generator proves nothing', () => {
  const [good] = [madeUpReclaimWindow(0)];
  const failed = { ...good, load: { ...good.load, succeeded: 99, failed: 1, answered: 99 } };
  const run = madeUpReclaimRun({ timeMs: 1000 });
  const claims = (plan: typeof run, window: typeof good) =>
    summarizeReclaim(plan, [window]).hypotheses.flatMap((each) => each.claims);
  const find = (all: ReturnType<typeof claims>, name: string) =>
    all.find((claim) => claim.name === name)?.verdict;
  expect(find(claims(run, failed), 'nothing failed')).toBe('refuted');
  expect(find(claims(run, good), 'nothing failed')).toBe('supported');
  const ended = (statusReason: string) => ({ ...run, status: 'partial' as const, statusReason });
  expect(find(claims(ended('interrupted'), good), 'nothing failed')).toBe('supported');
  expect(find(claims(ended('the origin ended: SIGKILL'), good), 'nothing failed')).toBe('unknown');
  expect(find(claims({ ...run, status: 'running' }, good), 'nothing failed')).toBe('unknown');
  expect(find(claims(run, good), 'the requested load was sent')).toBe('supported');
  const more = { ...run, plan: madeUpReclaimPlan({ timeMs: 2000 }) };
  expect(find(claims(more, good), 'the requested load was sent')).toBe('unknown');
  expect(summarizeReclaim(more, [good]).warnings[0]).toContain('limited by the generator: 50 %');
});
