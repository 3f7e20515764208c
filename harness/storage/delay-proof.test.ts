import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { isDelayOff, proveDelay } from './delay-proof.ts';
import type { CounterReading } from './device-counters.ts';
import { openProbeFile, writeProbeFile } from './direct-read.ts';
import type { SlowDisk } from './disk.ts';

let directory = '';
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'proof-test-'));
  await writeProbeFile(directory);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A disk whose device returns these read counts, one per query; the last count repeats. */
function diskThatCounts(counts: readonly (number | null)[]): SlowDisk {
  let looks = 0;
  const counters = (): CounterReading | null => {
    const reads = counts[Math.min(looks++, counts.length - 1)] ?? null;
    if (reads === null) return null;
    return { reads, readBytes: reads * 4096, writes: 0, writtenBytes: 0, inFlight: 0 };
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
])('requested %s ms and measured %s ms: off is %s', (requestedMs, measuredMs, off) => {
  expect(isDelayOff(requestedMs, measuredMs)).toBe(off);
});

test('reads that the device does not count are no proof', async () => {
  // The clock advances a second per query, so the wait for a count that never comes ends soon.
  let now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  const proving = proveDelay(diskThatCounts([0, 5]), request);
  // null: no direct reads here, so nothing can be proved or refuted.
  if (hasDirectReads()) await expect(proving).rejects.toMatchObject({ code: 'CS_STORAGE_PROOF' });
  else expect(await proving).toBeNull();
});

test.each([
  ['all reads counted', [0, 6]],
  ['the last read counted late', [0, 5, 5, 6]],
  ['unknown device counters', [null]],
])('a proof with %s reports times and rate', async (_, counts) => {
  const proof = await proveDelay(diskThatCounts(counts), request);
  if (!hasDirectReads()) return expect(proof).toBeNull();
  expect(proof).toMatchObject({ storage: 'nbd-delay', when: 'before', reads: 6 });
  expect(proof?.p50Ms).toBeGreaterThan(0);
  expect(proof?.p95Ms).toBeGreaterThanOrEqual(proof?.p50Ms ?? Number.NaN);
  expect(proof?.throughputBytesPerSecond).toBeGreaterThan(1e5);
});
