import { expect, test } from 'vitest';
import { madeUpRequest, madeUpTrial } from '../fixtures/fill.ts';
import { publishedRows } from './published.ts';
import { idealByteWaitMs, measuresOf } from './measures.ts';

test('the measures are those of the benchmark, computed by hand', () => {
  const trial = madeUpTrial('nginx-lock', {
    requests: [
      madeUpRequest({ bytes: 1000, byteWaitMs: 100, firstByteMs: 10 }),
      madeUpRequest({ worker: 1, bytes: 3000, byteWaitMs: 500, firstByteMs: 30 }),
    ],
    clientMs: 2000,
    origin: { requests: 1, bytes: 4000, durationMs: 1000 },
  });
  const measures = measuresOf([trial]);
  expect(measures).toMatchObject({
    requests: 2,
    bytes: 4000,
    // 32,000 bits in 2 s.
    mbps: 0.016,
    originMbps: 0.032,
    // (1000 x 100 + 3000 x 500) / 4000: over all bytes, not over requests.
    byteWaitMs: 400,
    hitRate: 0.5,
    files: 1,
  });
  expect(measures.firstByteMs).toMatchObject({ mean: 20, p50: 20, max: 30 });
});

test('flagged requests are excluded and counted; the hit rate of their row is unknown', () => {
  const trial = madeUpTrial('edge-pass', {
    requests: [madeUpRequest(), madeUpRequest({ flag: 'cut-off', bytes: 10, byteWaitMs: 9999 })],
    origin: { requests: 1, bytes: null, durationMs: 1000 },
  });
  expect(measuresOf([trial])).toMatchObject({
    requests: 1,
    bytes: 1000,
    byteWaitMs: 500,
    hitRate: null,
    originBytes: null,
    originMbps: null,
    flagged: { 'cut-off': 1 },
  });
});

test('without requests the measures are unknown, not 0', () => {
  const nothing = madeUpTrial('origin', { requests: [], clientMs: 0 });
  expect(measuresOf([nothing])).toMatchObject({ mbps: null, byteWaitMs: null, hitRate: null });
});

test.each([
  [3000, 10, 1450],
  [1000, 10, 450],
  [0, 10, 0],
  [50, 10, 0],
])(
  'bytes of a file of %d ms in chunks at %d Hz are sent %d ms after its start on average',
  (ms, hz, ideal) => {
    expect(idealByteWaitMs(ms, hz)).toBe(ideal);
  },
);

test.each(publishedRows.map((row) => [`${row.system} ${row.suite}`, row] as const))(
  'the published row %s is consistent',
  (_name, { measures }) => {
    const { originRequests, requests, hitRate, originBytes, bytes, mbps } = measures;
    // Printed cut off, not rounded, in some rows.
    expect(Math.abs(1 - originRequests / requests - Number(hitRate))).toBeLessThan(0.00011);
    expect(Number(originBytes) / originRequests).toBe(30 * 1024 ** 2);
    // All but the rows at full speed ran for 30 s and the end of a file.
    const seconds = (bytes * 8) / Number(mbps) / 1e6;
    expect(seconds).toBeGreaterThan(29.9);
    expect(seconds).toBeLessThan(34);
  },
);
