import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceRead } from '@cachescope/model/explain/device-read.ts';
import { expect, test } from 'vitest';
import {
  namelessFile,
  replayBytes,
  type ReplayedRead,
  replayedReads,
  replayOnce,
  replayRegions,
} from './read-replay.ts';

const read = (startMs: number, endMs: number, offset: number, bytes = 4096): DeviceRead => ({
  startMs,
  endMs,
  offset,
  bytes,
  kind: 'body',
});

test('a read follows the last one that had completed when it was issued', () => {
  const reads = [
    read(0, 5, 0),
    read(5.1, 10, 1),
    read(5.2, 11, 2),
    read(10.5, 16, 3),
    read(11, 17, 4),
  ];
  expect(replayedReads(reads).map(({ after }) => after)).toEqual([null, 0, 0, 1, 2]);
  // Two that were in flight before the page asked begin together.
  expect(replayedReads([read(-1, 4, 0), read(-0.5, 4, 1)]).map(({ after }) => after)).toEqual([
    null,
    null,
  ]);
});

test('order, overlaps and gaps up to 1 MiB stay, and reads are whole blocks', () => {
  const far = 900 * 2 ** 20;
  const reads = [read(0, 1, far, 131_072), read(2, 3, far + 131_072, 512), read(4, 5, 8192, 1024)];
  const replayed = replayedReads(reads);
  const mebibyte = 2 ** 20;
  expect(replayed.map(({ offset, bytes }) => [offset, bytes])).toEqual([
    [4096 + mebibyte, 131_072],
    [4096 + mebibyte + 131_072, 4096],
    [0, 4096],
  ]);
  expect(replayBytes(replayed)).toBe(4096 + mebibyte + 131_072 + 4096);
  const twice = replayedReads([read(0, 1, 4096), read(2, 3, 4096)]);
  expect(twice[0]?.offset).toBe(twice[1]?.offset);
});

test('a read is issued when the one before it has completed, and blocks only when it is alone', async () => {
  const chain: ReplayedRead[] = [
    { offset: 0, bytes: 1, after: null },
    { offset: 1, bytes: 1, after: 0 },
    { offset: 2, bytes: 1, after: 0 },
    { offset: 3, bytes: 1, after: 2 },
  ];
  const log: string[] = [];
  const release = new Map<number, () => void>();
  const time = replayOnce(chain, ({ offset }, alone) => {
    log.push(`${offset}${alone ? ' alone' : ''}`);
    if (alone) return undefined;
    return new Promise((resolve) => release.set(offset, resolve));
  });
  expect(log).toEqual(['0 alone', '1', '2']);
  release.get(2)?.();
  // The first of the pair is still in flight, so the next one must not block.
  await expect.poll(() => log).toEqual(['0 alone', '1', '2', '3']);
  release.get(3)?.();
  release.get(1)?.();
  expect(await time).toBeGreaterThan(0);
});

test('a failed read fails the replay', async () => {
  const chain = [{ offset: 0, bytes: 1, after: null }];
  await expect(replayOnce(chain, () => Promise.reject(new Error('EIO')))).rejects.toThrow('EIO');
});

test('no part of the file is read by two repetitions or two chains, and a gap is between them', () => {
  const mebibyte = 2 ** 20;
  const chains = [3 * mebibyte, 9 * mebibyte].map((bytes) => [{ offset: 0, bytes, after: null }]);
  const { begins, fileBytes } = replayRegions(chains, 20);
  const parts = begins.flatMap((round) =>
    round.map((begin, index) => ({ begin, end: begin + replayBytes(chains[index] ?? []) })),
  );
  expect(parts).toHaveLength(40);
  const inOrder = parts.toSorted((one, other) => one.begin - other.begin);
  for (const [index, { end }] of inOrder.entries())
    expect(end + mebibyte).toBeLessThanOrEqual(inOrder[index + 1]?.begin ?? fileBytes);
  expect(replayRegions([[{ offset: 0, bytes: 4096, after: null }]], 1).fileBytes).toBe(
    64 * mebibyte,
  );
});

test('the file of a replay has no name, and whatever ends the program removes it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-replay-test-'));
  try {
    await using file = await namelessFile(directory, 8192);
    expect(readdirSync(directory)).toEqual([]);
    expect((await file.stat()).size).toBe(8192);
    await expect(namelessFile(join(directory, 'missing'), 8192)).rejects.toThrow('ENOENT');
  } finally {
    rmSync(directory, { recursive: true });
  }
});
