import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceCounts } from '@cachescope/model/sample.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDelayOff, proveDelay } from './delay-proof.ts';
import { openProbeFile, writeProbeFile } from './direct-read.ts';
import type { SlowDisk } from './disk.ts';

let directory = '';
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'proof-test-'));
  await writeProbeFile(directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A disk whose device counts so many reads between two looks. */
function diskThatReads(reads: number | null): SlowDisk {
  let seen = 0;
  const counters = (): DeviceCounts | null => {
    if (reads === null) return null;
    const counts = { reads: seen, readBytes: seen * 4096, writes: 0, writtenBytes: 0 };
    seen += reads;
    return counts;
  };
  return {
    kind: 'nbd-delay',
    directory,
    describe: '',
    counters: () => Promise.resolve(counters()),
    setDelay: () => Promise.resolve(),
    detach: () => Promise.resolve(),
  };
}

function hasDirectReads(): boolean {
  const file = openProbeFile(directory, 4096);
  file?.close();
  return file !== null;
}

const request = { requestedDelayMs: 0, when: 'before', reads: 6, throughput: true } as const;

test.each([
  [0, 1, false],
  [0, 1.01, true],
  [2, 3, false],
  [2, 0.9, true],
  [20, 24, false],
  [20, 24.1, true],
  [20, 15.9, true],
])('asked for %s ms and measured %s ms: off is %s', (requestedMs, measuredMs, off) => {
  expect(isDelayOff(requestedMs, measuredMs)).toBe(off);
});

test('reads that the device does not show are no proof', async () => {
  const proving = proveDelay(diskThatReads(5), request);
  // null: no direct reads here, so nothing can be proved or refuted.
  if (hasDirectReads()) await expect(proving).rejects.toMatchObject({ code: 'CS_STORAGE_PROOF' });
  else expect(await proving).toBeNull();
});

test.each([6, null])('a proof with %s reads on the device tells times and rate', async (reads) => {
  const proof = await proveDelay(diskThatReads(reads), request);
  if (!hasDirectReads()) return expect(proof).toBeNull();
  expect(proof).toMatchObject({ storage: 'nbd-delay', when: 'before', reads: 6 });
  expect(proof?.p50Ms).toBeGreaterThan(0);
  expect(proof?.p95Ms).toBeGreaterThanOrEqual(proof?.p50Ms ?? Number.NaN);
  expect(proof?.throughputBytesPerSecond).toBeGreaterThan(1e5);
});
