import { expect, test } from 'vitest';
import type { Coding } from '../coding.ts';
import type { DelayProof } from '../run/base.ts';
import type { SweepRun } from './run.ts';
import type { Sample } from '../run/sample.ts';
import { summarize } from './summary.ts';

const base: SweepRun = {
  schemaVersion: 1,
  tool: { name: 'cachescope', version: '0.0.0' },
  experiment: 'sweep',
  status: 'complete',
  startedAt: '2026-11-20T23:00:00Z',
  commandLine: [],
  plan: {
    arms: ['br', 'dcb'],
    delaysMs: [0, 5, 10],
    storage: 'nbd-delay',
    delayWrites: false,
    samplesPerCell: 6,
    launchesPerPoint: 3,
    seed: 7,
    workload: {
      name: 'made-up',
      title: 'made up',
      resourceBytes: 1_000_000,
      resourceSha256: '00',
      dictionaryBytes: 1,
    },
  },
  environment: {
    chromium: { version: 'Chrome/156', path: '/chromium', flags: [] },
    node: '26',
    kernel: '6',
    os: 'Linux',
    cpu: 'cpu',
    cores: 2,
    memoryBytes: 1,
    storage: 'made up',
    timerStepMs: 0.005,
  },
  stored: [
    { arm: 'br', url: '/br', wireBytes: 66_000, storedBytes: 66_100, decodedBytes: 1_000_000 },
    { arm: 'dcb', url: '/dcb', wireBytes: 1_500, storedBytes: 1_000_500, decodedBytes: 1_000_000 },
  ],
  proofs: [],
  warnings: [],
};

function proof(
  requestedDelayMs: number,
  p50Ms: number,
  more: Partial<DelayProof> = {},
): DelayProof {
  return {
    storage: 'nbd-delay',
    requestedDelayMs,
    when: 'before',
    reads: 16,
    p50Ms,
    p95Ms: p50Ms + 0.1,
    throughputBytesPerSecond: null,
    off: false,
    takenAt: '2026-11-20T23:00:00Z',
    ...more,
  };
}

let sequence = 0;

function sample(arm: Coding, delayMs: number, readMs: number, more: Partial<Sample> = {}): Sample {
  return {
    sequence: sequence++,
    cell: { arm, storage: 'nbd-delay', delayMs },
    launch: sequence % 3,
    attempt: 1,
    takenAt: '2026-11-20T23:00:00Z',
    kind: 'timed',
    readMs,
    timing: null,
    attribution: { source: 'disk', confidence: 'likely', reasons: [] },
    originRequests: 0,
    device: {
      reads: arm === 'br' ? 3 : 13,
      readBytes: arm === 'br' ? 73_728 : 1_011_712,
      writes: 0,
      writtenBytes: 0,
    },
    bodyBytes: 1_000_000,
    bodySha256: '00',
    flags: [],
    ...more,
  };
}

/** Six samples in three launches, each with a median of exactly `readMs`. */
function cell(arm: Coding, delayMs: number, readMs: number, more: Partial<Sample> = {}): Sample[] {
  return [-2, -1, 0, 2, 1, 0].map((offset) => sample(arm, delayMs, readMs + offset, more));
}

const control: Partial<Sample> = { cell: { arm: 'br', storage: 'none', delayMs: 0 } };

/** Two lines by construction: br = 10 + 3 d, dcb = 8 + 10 d, where d is the measured delay. */
function linearSweep(): { run: SweepRun; samples: Sample[] } {
  const measured = [0.5, 5.5, 10.5];
  const proofs = base.plan.delaysMs.flatMap((delayMs, index) => {
    const p50 = measured[index] ?? 0;
    return [proof(delayMs, p50 - 0.1), proof(delayMs, p50 + 0.1, { when: 'after' })];
  });
  const samples = base.plan.delaysMs.flatMap((delayMs, index) => {
    const delay = measured[index] ?? 0;
    return [...cell('br', delayMs, 10 + 3 * delay), ...cell('dcb', delayMs, 8 + 10 * delay)];
  });
  return { run: { ...base, proofs }, samples };
}

test('the fit recovers the line through the medians, against the measured delay', () => {
  const { run, samples } = linearSweep();
  const [br, dcb] = summarize(run, samples).fits;
  expect(br?.slopeMsPerMs).toBeCloseTo(3, 9);
  expect(br?.interceptMs).toBeCloseTo(10, 9);
  expect(dcb?.slopeMsPerMs).toBeCloseTo(10, 9);
  expect(dcb?.interceptMs).toBeCloseTo(8, 9);
  // Three points lie near any line.
  expect(dcb?.r2).toBeNull();
  expect(dcb).toMatchObject({
    points: 3,
    deviceReads: 13,
    storedBytes: 1_000_500,
    wireBytes: 1_500,
  });
});

test('the gap is the mean of the launches’ gaps, and its interval contains it', () => {
  const { run, samples } = linearSweep();
  // One launch reads DCB 1 ms more slowly, another one 1 ms faster.
  const apart = samples.map((taken) => {
    const shift = taken.cell.arm === 'dcb' ? (taken.launch % 3) - 1 : 0;
    return { ...taken, readMs: taken.readMs + shift };
  });
  const point = summarize(run, apart).points.find((candidate) => candidate.requestedDelayMs === 10);
  const gap = point?.gaps[0];
  expect(gap).toMatchObject({
    between: 'arms',
    of: { arm: 'dcb' },
    against: { arm: 'br' },
    ms: expect.closeTo(71.5, 1) as number,
    verdict: { outcome: 'DIFFERENT', direction: 'greater', better: 'against', margin: 0.02 },
  });
  expect(gap?.relative).toBeCloseTo(71.5 / 41.5, 3);
  expect(gap?.sentence).toMatch(/^DCB is slower than Brotli by 71\.5 ms, 172 % \(/);
  // Gaps 1 ms apart in three launches, 3 comparisons: t(1 - 0.05 / 6, 2) / sqrt(3) = 7.649 / 1.732.
  expect(gap?.lowMs).toBeCloseTo(71.5 - 4.42, 1);
  expect(gap?.highMs).toBeCloseTo(71.5 + 4.42, 1);
  expect(point?.measuredDelayMs).toEqual({ p50: 10.5, p95: expect.closeTo(10.6, 9) });
});

test('the control is first and excluded from the fit', () => {
  const { run, samples } = linearSweep();
  const withControl = [...samples, ...cell('br', 0, 500, control)];
  const summary = summarize(run, withControl);
  expect(summary.points.map((point) => [point.storage, point.requestedDelayMs])).toEqual([
    ['none', 0],
    ['nbd-delay', 0],
    ['nbd-delay', 5],
    ['nbd-delay', 10],
  ]);
  expect(summary.fits[0]?.slopeMsPerMs).toBeCloseTo(3, 9);
});

test('flagged samples, confirmation reads and first loads are excluded, and counted apart', () => {
  const { run, samples } = linearSweep();
  const summary = summarize(run, [
    ...samples,
    sample('dcb', 10, 9999, { flags: ['origin-touched', 'source-not-disk'] }),
    sample('dcb', 10, 9999, { kind: 'companion' }),
    sample('dcb', 10, 9999, { kind: 'first load', flags: ['origin-unasked'] }),
  ]);
  expect(summary.points.at(-1)?.arms[1]).toMatchObject({
    samples: 6,
    flagged: 1,
    medianMs: expect.closeTo(113, 9) as number,
  });
  expect(summary.counts).toEqual({
    samples: 39,
    timed: 37,
    used: 36,
    companions: 1,
    unconfirmed: 1,
    flagged: {
      'page-cache-state': 0,
      'origin-touched': 1,
      'source-not-disk': 1,
      suspended: 0,
      'device-silent': 0,
      'device-short': 0,
      'wrong-body': 0,
      'origin-unasked': 0,
      histograms: 0,
      'link-off': 0,
      'read-failed': 0,
    },
  });
});

test('a cell without usable samples is unknown, not 0', () => {
  const { run } = linearSweep();
  const summary = summarize(run, [sample('br', 5, 20, { flags: ['wrong-body'] })]);
  const point = summary.points.find((candidate) => candidate.requestedDelayMs === 5);
  expect(point?.arms[0]).toEqual({
    arm: 'br',
    samples: 0,
    launches: 0,
    flagged: 1,
    medianMs: null,
    lowMs: null,
    highMs: null,
    deviceReads: null,
    deviceReadBytes: null,
    networkServiceMs: null,
  });
  expect(point?.gaps[0]).toMatchObject({
    ms: null,
    lowMs: null,
    highMs: null,
    relative: null,
    verdict: { outcome: 'UNKNOWN', reason: 'no usable readings' },
  });
  expect(summary.fits[0]).toMatchObject({
    slopeMsPerMs: null,
    r2: null,
    deviceReads: null,
    points: 0,
  });
});

test('a device that was not counted is unknown', () => {
  const { run } = linearSweep();
  const samples = [1, 2, 3, 4, 5].map((ms) => sample('br', 5, ms, { device: null }));
  const few = summarize(run, samples).points.find((point) => point.requestedDelayMs === 5);
  expect(few?.arms[0]).toMatchObject({
    // Medians of the launches: 2.5, 3.5 and 3 ms.
    medianMs: expect.closeTo(Math.cbrt(2.5 * 3.5 * 3), 9) as number,
    deviceReads: null,
  });
});

test('the read’s own counts are unknown when other programs use the device too', () => {
  const device = { reads: 43, readBytes: 6_021_120, writes: 0, writtenBytes: 0 };
  const shared = { ...device, shared: true };
  const samples = [
    sample('br', 5, 21, { device: shared }),
    sample('br', 5, 22, { device: shared }),
    sample('dcb', 5, 51, { device: shared }),
    sample('dcb', 5, 52, { device }),
  ];
  const { points, fits } = summarize(base, samples);
  expect(points[0]?.arms).toMatchObject([
    { arm: 'br', samples: 2, deviceReads: null, deviceReadBytes: null },
    { arm: 'dcb', samples: 2, deviceReads: 43, deviceReadBytes: 6_021_120 },
  ]);
  expect(fits).toMatchObject([{ deviceReads: null }, { deviceReads: 43 }]);
});

test('a point with a delay check outside tolerance is marked', () => {
  const run = { ...base, proofs: [proof(5, 9, { off: true }), proof(5, 5.5, { when: 'after' })] };
  expect(summarize(run, []).points).toMatchObject([{ requestedDelayMs: 5, delayOff: true }]);
});

test('in the crossed design a point is marked when most of its delay checks are outside tolerance', () => {
  const crossed = { ...base, plan: { ...base.plan, crossed: true } };
  const off = (count: number) =>
    [0, 1, 2, 3].map((number) => proof(5, 5.5, { off: number < count }));
  const marked = (count: number) =>
    summarize({ ...crossed, proofs: off(count) }, []).points[0]?.delayOff;
  expect([0, 1, 2, 3].map(marked)).toEqual([false, false, false, true]);
});

test('without br the first arm is the baseline', () => {
  const run = { ...base, plan: { ...base.plan, arms: ['gzip', 'dcb'] as Coding[] } };
  const summary = summarize(run, [...cell('gzip', 5, 10), ...cell('dcb', 5, 4)]);
  expect(summary.points[0]?.gaps).toMatchObject([
    { of: { arm: 'dcb' }, against: { arm: 'gzip' }, ms: expect.closeTo(-6, 9) as number },
  ]);
});

test('the same run gives the same summary', () => {
  const { run, samples } = linearSweep();
  expect(summarize(run, samples)).toEqual(summarize(run, samples));
});

test('with two launches intervals are unknown, and the finding says how many are needed', () => {
  const { run } = linearSweep();
  const inLaunches = (launches: number): Sample[] =>
    [...cell('br', 5, 20), ...cell('dcb', 5, 50)].map((taken, index) => ({
      ...taken,
      launch: index % launches,
    }));
  const pointOf = (launches: number) => summarize(run, inLaunches(launches)).points[1];
  expect(pointOf(2)?.arms[0]).toMatchObject({ launches: 2, lowMs: null, highMs: null });
  expect(pointOf(2)?.arms[0]?.medianMs).toBeCloseTo(20, 0);
  expect(pointOf(2)?.gaps[0]?.sentence).toContain('at least 3 launches of each');
  expect(summarize(run, inLaunches(2)).finding.at(-1)).toBe(
    'Intervals and verdicts need at least 3 launches of each cell; this run has fewer (--launches 3).',
  );
  const others = inLaunches(3).filter((taken) => taken.cell.arm === 'dcb');
  const one = cell('br', 5, 20).map((taken, index) => ({ ...taken, launch: index % 2 }));
  expect(summarize(run, [...one, ...others]).finding.at(-1)).toContain('some cells have fewer');
  expect(pointOf(3)?.arms[0]?.lowMs).not.toBeNull();
});
