import type { DelayProof } from '@cachescope/model/run/base.ts';
import { expect, test } from 'vitest';
import { proofsByDelay } from './proofs-by-delay.ts';

function proof(
  requestedDelayMs: number,
  p50Ms: number,
  over: Partial<DelayProof> = {},
): DelayProof {
  return {
    storage: 'nbd-live',
    requestedDelayMs,
    when: 'before',
    reads: 8,
    p50Ms,
    p95Ms: p50Ms + 1,
    throughputBytesPerSecond: null,
    off: false,
    takenAt: '2026-01-01T00:00:00.000Z',
    ...over,
  };
}

test('hundreds of proofs are grouped into one row for each delay, the control first', () => {
  const again = Array.from({ length: 200 }, () => proof(5, 5.1));
  const proofs = [proof(10, 10.2), ...again, proof(5, 9, { off: true, reads: 4 })];
  const rows = proofsByDelay([...proofs, proof(0, 0.2, { storage: 'none' })]);
  expect(rows.map(({ storage, requestedDelayMs }) => [storage, requestedDelayMs])).toEqual([
    ['none', 0],
    ['nbd-live', 5],
    ['nbd-live', 10],
  ]);
  expect(rows[1]).toMatchObject({
    proofs: 201,
    reads: 200 * 8 + 4,
    leastMs: 5.1,
    medianMs: 5.1,
    greatestMs: 9,
    greatestP95Ms: 10,
    off: 1,
  });
});

test('200,000 proofs of one delay in a crafted run are one row', () => {
  const [row] = proofsByDelay(Array.from({ length: 200_000 }, (_, place) => proof(5, 5 + place)));
  expect(row).toMatchObject({ proofs: 200_000, leastMs: 5, greatestMs: 200_004 });
});

test('the disk of each variant has separate rows', () => {
  const rows = proofsByDelay([proof(5, 5), proof(5, 6, { variant: 'recompressed' })]);
  expect(rows.map(({ variant, medianMs }) => [variant, medianMs])).toEqual([
    [undefined, 5],
    ['recompressed', 6],
  ]);
});
