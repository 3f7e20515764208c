import { expect, test } from 'vitest';
import { finding } from './finding.ts';
import { gapDirection } from './gap-outcomes.ts';
import type { ArmFit, Gap, SweepPoint } from './result.ts';

interface Measured {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

/** A gap whose verdict follows from its interval, with a sentence that quotes its difference. */
function gapOf({ ms, lowMs, highMs }: Measured): Gap {
  const isDecided = lowMs !== null && highMs !== null && (lowMs > 0 || highMs < 0);
  const direction = isDecided ? (lowMs > 0 ? 'greater' : 'lesser') : null;
  return {
    between: 'arms',
    of: { arm: 'dcb' },
    against: { arm: 'br' },
    ms,
    lowMs,
    highMs,
    relative: null,
    relativeLow: null,
    relativeHigh: null,
    confidence: 0.95,
    family: 1,
    verdict: {
      outcome: isDecided ? 'DIFFERENT' : 'UNKNOWN',
      direction,
      better: null,
      beyondChance: false,
      reason: isDecided ? null : 'interval too wide',
      more: null,
      p: null,
      margin: 0.02,
    },
    sentence: `[verdict on ${ms}]`,
  };
}

function point(
  requestedDelayMs: number,
  gap: Measured,
  storage: SweepPoint['storage'] = 'dm-delay',
): SweepPoint {
  return {
    storage,
    requestedDelayMs,
    measuredDelayMs: { p50: requestedDelayMs + 0.4, p95: requestedDelayMs + 0.6 },
    delayOff: false,
    throughputBytesPerSecond: null,
    arms: [],
    gaps: [gapOf(gap)],
  };
}

function fit(arm: ArmFit['arm'], more: Partial<ArmFit> = {}): ArmFit {
  return {
    arm,
    slopeMsPerMs: null,
    slopeLow: null,
    slopeHigh: null,
    interceptMs: null,
    r2: null,
    points: 0,
    deviceReads: null,
    deviceReadBytes: null,
    storedBytes: null,
    wireBytes: null,
    decodedBytes: null,
    ...more,
  };
}

const dcb = fit('dcb', {
  slopeMsPerMs: 10.31,
  slopeLow: 10.1,
  slopeHigh: 10.5,
  r2: 0.9987,
  points: 6,
  deviceReads: 13,
  deviceReadBytes: 1_011_712,
  storedBytes: 1_005_510,
  wireBytes: 1_536,
  decodedBytes: 1_005_000,
});
const br = fit('br', {
  slopeMsPerMs: 3.1,
  slopeLow: 3,
  slopeHigh: 3.2,
  r2: 1,
  points: 6,
  deviceReads: 3,
  deviceReadBytes: 73_728,
  storedBytes: 66_096,
  wireBytes: 65_800,
  decodedBytes: 1_005_000,
});

test.each([
  [{ lowMs: 1, highMs: 2 }, 'slower'],
  [{ lowMs: -2, highMs: -1 }, 'faster'],
  [{ lowMs: -1, highMs: 2 }, 'undecided'],
  [{ lowMs: null, highMs: null }, 'undecided'],
])('a gap of %o is %s', (ends, direction) =>
  expect(gapDirection(gapOf({ ms: 0, ...ends }))).toBe(direction),
);

test('a gap with the verdict SAME is not slower, whatever the sign of its estimate', () => {
  const { verdict } = gapOf({ ms: 1, lowMs: -1, highMs: 3 });
  expect(gapDirection({ verdict: { ...verdict, outcome: 'SAME' } })).toBe('same');
});

test('the verdict at the largest delay and at the control, each with its place', () => {
  const points = [
    point(0, { ms: -2.3, lowMs: -3.6, highMs: -1.9 }, 'none'),
    point(10, { ms: 60, lowMs: 50, highMs: 70 }),
    point(20, { ms: 132, lowMs: 128, highMs: 136 }),
  ];
  const sentences = finding({ points, fits: [] });
  expect(sentences[0]).toBe('At 20 ms of read delay (measured 20.4 ms): [verdict on 132]');
  expect(sentences).toContain('On ordinary storage (the control): [verdict on -2.3]');
  expect(sentences.join()).not.toContain('[verdict on 60]');
});

test('all verdicts of a pair in one sentence, neighbouring points combined', () => {
  const slower = { ms: 5, lowMs: 4, highMs: 6 };
  const faster = { ms: -5, lowMs: -6, highMs: -4 };
  const open = { ms: 0, lowMs: -1, highMs: 1 };
  const points = [
    point(0, faster, 'none'),
    point(0, faster),
    point(1, open),
    point(2, slower),
    point(3, slower),
    point(4, open),
    point(5, slower),
  ];
  expect(finding({ points, fits: [] })).toContain(
    'DCB against Brotli: slower at 2 to 3 ms, 5 ms; faster on the control and at 0 ms; unknown at 1 ms, 4 ms.',
  );
});

test('a range of points does not include a point without a gap', () => {
  const slower = { ms: 5, lowMs: 4, highMs: 6 };
  const unread = { ms: null, lowMs: null, highMs: null };
  const points = [slower, unread, unread, slower, slower].map((gap, delayMs) =>
    point(delayMs, gap),
  );
  expect(finding({ points, fits: [] })).toContain('DCB against Brotli: slower at 0 ms, 3 to 4 ms.');
});

test('when the gap changes sign, the points before it and the delay from which the direction stays the same are reported', () => {
  const points = [
    point(0, { ms: -17, lowMs: -19, highMs: -15 }, 'none'),
    point(0, { ms: -2, lowMs: -4, highMs: 1 }),
    point(1, { ms: 5, lowMs: 3, highMs: 8 }),
    point(2, { ms: 20, lowMs: 15, highMs: 24 }),
  ];
  expect(finding({ points, fits: [] })).toContain(
    'The gap changes sign: on the control DCB is faster than Brotli, and from 1 ms of read delay (measured 1.4 ms) on it is slower.',
  );
});

test('a direction that occurred before and returns is not a change of sign', () => {
  const points = [
    point(0, { ms: 5, lowMs: 4, highMs: 6 }),
    point(1, { ms: -5, lowMs: -6, highMs: -4 }),
    point(2, { ms: 5, lowMs: 4, highMs: 6 }),
  ];
  expect(finding({ points, fits: [] }).join()).not.toContain('changes sign');
});

test('a direction that only becomes significant is not a change of sign', () => {
  const points = [
    point(0, { ms: 1, lowMs: -4, highMs: 6 }),
    point(1, { ms: 5, lowMs: 3, highMs: 8 }),
  ];
  expect(finding({ points, fits: [] }).join()).not.toContain('changes sign');
});

test('slopes are shown with the counted device reads, and the reason for their difference', () => {
  const text = finding({ points: [], fits: [br, dcb] });
  expect(text[0]).toBe(
    'A cached Brotli read takes 3.1 ms longer for each ms of measured read delay (95 % interval 3 to 3.2, R² 1.0000); the device counted 3 reads.',
  );
  expect(text[1]).toContain('DCB read takes 10.3 ms longer');
  expect(text[1]).toContain('the device counted 13 reads');
  expect(text[2]).toContain('Device reads that overlap');
});

test('without overlap the sentence about it is absent', () => {
  expect(finding({ points: [], fits: [br] }).join()).not.toContain('overlap');
});

test('bytes show how an entry is stored, and never attribute it to a dictionary', () => {
  const text = finding({ points: [], fits: [br, dcb] });
  expect(text).toContain(
    'DCB sent 1.5 KiB over the wire and occupies 982 KiB in the cache: it is stored decoded; a cached read takes 988 KiB from the device, the decoded body.',
  );
  expect(text).toContain(
    'Brotli sent 64.3 KiB over the wire and occupies 64.5 KiB in the cache: it is stored encoded; a cached read takes 72 KiB from the device, the encoded body.',
  );
  expect(text.join().toLowerCase()).not.toContain('dictionary');
});

test('an entry with equal wire and decoded sizes is called neither encoded nor decoded', () => {
  const identity = fit('identity', {
    storedBytes: 1_000_300,
    wireBytes: 1_000_000,
    decodedBytes: 1_000_000,
  });
  expect(finding({ points: [], fits: [identity] }).join()).not.toMatch(/encoded|stored decoded/);
});

test('a missing slope is explained by the number of delays', () => {
  const sentences = finding({
    points: [point(20, { ms: 1, lowMs: null, highMs: null })],
    fits: [fit('br', { points: 1 })],
  });
  expect(sentences).toContain('A slope needs 3 delays of the slow device; this run has 1.');
});

test('without data there is one sentence that reports it', () => {
  expect(finding({ points: [], fits: [fit('br')] })).toEqual([
    'There is no usable sample on the slow device, so there is no finding on its delay.',
  ]);
});
