import { expect, test } from 'vitest';
import { finding, gapDirection } from './finding.ts';
import type { ArmFit, SweepPoint } from './sweep-result.ts';

function point(
  requestedDelayMs: number,
  gap: { ms: number | null; lowMs: number | null; highMs: number | null },
  storage: SweepPoint['storage'] = 'dm-delay',
): SweepPoint {
  return {
    storage,
    requestedDelayMs,
    measuredDelayMs: { p50: requestedDelayMs + 0.4, p95: requestedDelayMs + 0.6 },
    delayOff: false,
    throughputBytesPerSecond: null,
    arms: [],
    gaps: [{ arm: 'dcb', baseline: 'br', ...gap }],
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
  [{ lowMs: 0, highMs: 2 }, 'undecided'],
  [{ lowMs: -2, highMs: 0 }, 'undecided'],
  [{ lowMs: null, highMs: null }, 'undecided'],
])('a gap of %o is %s', (gap, direction) => expect(gapDirection(gap)).toBe(direction));

test.each([
  [{ ms: 132.4, lowMs: 128, highMs: 136 }, 'DCB is slower than Brotli by 132 ms', 'faster'],
  [{ ms: -17.1, lowMs: -20, highMs: -14 }, 'DCB is faster than Brotli by 17.1 ms', 'slower'],
  [{ ms: 1, lowMs: -2, highMs: 4 }, 'no difference between DCB and Brotli is shown', 'is slower'],
  [
    { ms: -1, lowMs: null, highMs: null },
    'the median of DCB is 1 ms below that of Brotli, from too few samples',
    'faster',
  ],
  [
    { ms: 1, lowMs: null, highMs: null },
    'the median of DCB is 1 ms above that of Brotli',
    'faster',
  ],
])('the direction at the largest delay, gap %o', (gap, says, never) => {
  const text = finding({ points: [point(20, gap)], fits: [] }).join('\n');
  expect(text).toContain(`At 20 ms of read delay (measured 20.4 ms) `);
  expect(text).toContain(says);
  expect(text).not.toContain(never);
});

test('whatever the gap, its sentence never claims the opposite direction', () => {
  for (let ms = -50; ms <= 50; ms += 0.5) {
    for (const width of [0, 0.4, 3, 60]) {
      const text = finding({
        points: [point(10, { ms, lowMs: ms - width, highMs: ms + width })],
        fits: [],
      }).join();
      if (text.includes('slower')) expect(ms - width).toBeGreaterThan(0);
      if (text.includes('faster')) expect(ms + width).toBeLessThan(0);
      if (!/slower|faster/.test(text)) expect(Math.abs(ms)).toBeLessThanOrEqual(width);
    }
  }
});

test('the delay from which on the direction holds is told when the gap changes sign', () => {
  const points = [
    point(0, { ms: -17, lowMs: -19, highMs: -15 }, 'none'),
    point(0, { ms: -2, lowMs: -4, highMs: 1 }),
    point(1, { ms: 5, lowMs: 3, highMs: 8 }),
    point(2, { ms: 20, lowMs: 15, highMs: 24 }),
  ];
  expect(finding({ points, fits: [] })).toContain(
    'The gap changes sign: with less delay DCB is faster than Brotli, and from 1 ms of read delay (measured 1.4 ms) on it is slower.',
  );
});

test('a direction that held before and comes back is no change of sign', () => {
  const points = [
    point(0, { ms: 5, lowMs: 4, highMs: 6 }),
    point(1, { ms: -5, lowMs: -6, highMs: -4 }),
    point(2, { ms: 5, lowMs: 4, highMs: 6 }),
  ];
  expect(finding({ points, fits: [] }).join()).not.toContain('changes sign');
});

test('a direction that merely becomes clear is no change of sign', () => {
  const points = [
    point(0, { ms: 1, lowMs: -4, highMs: 6 }),
    point(1, { ms: 5, lowMs: 3, highMs: 8 }),
  ];
  expect(finding({ points, fits: [] }).join()).not.toContain('changes sign');
});

test('slopes stand beside the counted device reads, with the reason why they differ', () => {
  const text = finding({ points: [], fits: [br, dcb] });
  expect(text[0]).toBe(
    'A cached Brotli read takes 3.1 ms longer for each ms of measured read delay (95 % interval 3 to 3.2, R² 1.0000); the device counted 3 reads.',
  );
  expect(text[1]).toContain('DCB read takes 10.3 ms longer');
  expect(text[1]).toContain('the device counted 13 reads');
  expect(text[2]).toContain('Device reads that overlap');
});

test('without overlap nothing is said about it', () => {
  expect(finding({ points: [], fits: [br] }).join()).not.toContain('overlap');
});

test('bytes say how an entry is stored, and never blame a dictionary', () => {
  const text = finding({ points: [], fits: [br, dcb] });
  expect(text).toContain(
    'DCB sent 1.5 KiB over the wire and occupies 982 KiB in the cache: it is stored decoded; a cached read takes 988 KiB from the device, the decoded body.',
  );
  expect(text).toContain(
    'Brotli sent 64.3 KiB over the wire and occupies 64.5 KiB in the cache: it is stored encoded; a cached read takes 72 KiB from the device, the encoded body.',
  );
  expect(text.join().toLowerCase()).not.toContain('dictionary');
});

test('an entry that is as large sent as decoded is not called either', () => {
  const identity = fit('identity', {
    storedBytes: 1_000_300,
    wireBytes: 1_000_000,
    decodedBytes: 1_000_000,
  });
  expect(finding({ points: [], fits: [identity] }).join()).not.toMatch(/encoded|stored decoded/);
});

test('the control has its own sentence, with its own direction', () => {
  const control = {
    ...point(0, { ms: -2.3, lowMs: -3.6, highMs: -1.9 }),
    storage: 'none' as const,
  };
  const slow = point(20, { ms: 132, lowMs: 128, highMs: 136 });
  const sentences = finding({ points: [control, slow], fits: [] });
  expect(sentences).toContain(
    'On ordinary storage (the control) DCB is faster than Brotli by 2.3 ms (95 % interval 1.9 to 3.6 ms).',
  );
});

test('no slope is explained by the number of delays', () => {
  const sentences = finding({
    points: [point(20, { ms: 1, lowMs: null, highMs: null })],
    fits: [fit('br', { points: 1 })],
  });
  expect(sentences).toContain('A slope needs 3 delays of the slow device; this run has 1.');
});

test('no data gives one sentence that says so', () => {
  expect(finding({ points: [], fits: [fit('br')] })).toEqual([
    'No usable sample was taken behind the slow device, so nothing can be said about its delay.',
  ]);
});
