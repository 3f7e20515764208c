import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtExtension } from '@cachescope/harness/browser/extension-build.ts';
import { createPrivilege } from '@cachescope/harness/privilege.ts';
import { readRunOf } from '@cachescope/harness/results/run-directory.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runProgram } from '../../scripts/dm-delay/guest-environment.ts';
import { findMachine } from '../../scripts/dm-delay/find-machine.ts';
import {
  readStorageObservations,
  readSweepObservations,
  type StorageObservations,
  type SweepObservations,
  type Traces,
} from '../../scripts/dm-delay/observations.ts';

/** Stops a machine that hangs, ms: on an idle computer it runs for 6 min. */
const limitMs = 60 * 60_000;

const say = (line: string) => console.warn(line);
const machine = await findMachine(createPrivilege({ dryRun: false, say }), say);
if ('lacking' in machine) say(`dm-delay is not tested: ${machine.lacking}`);

/** Timer granularity: a delay that begins within a tick may end up to one tick early. ms. */
const tickMs = 'lacking' in machine ? 0 : (machine.tickMs ?? 10);

const nothing: Traces = { deviceMapper: [], loops: [], mounts: [], directories: [] };

/** Boots the machine for a task; returns the directory with its output. */
async function boot(task: 'storage' | 'sweep'): Promise<string> {
  if ('lacking' in machine) throw new Error(machine.lacking);
  const outDirectory = join(base, task);
  mkdirSync(outDirectory);
  const console = await machine.boot({ task, outDirectory, limitMs });
  expect(console).toContain('guest: observed');
  return outDirectory;
}

const base = mkdtempSync(join(tmpdir(), 'cachescope-guest-'));
afterAll(() => rmSync(base, { recursive: true }));

describe.skipIf('lacking' in machine)('a kernel with dm-delay', () => {
  let seen: StorageObservations;
  let swept: SweepObservations;

  // Each machine has one processor: in parallel they take as long as the slower one.
  beforeAll(async () => {
    await builtExtension();
    // Compiled on the host, where it takes a second.
    for (const program of ['sweep', 'storage'])
      await runProgram(`scripts/dm-delay/${program}.ts`, ['--help']);
    const started = performance.now();
    const [storage, sweep] = await Promise.all([boot('storage'), boot('sweep')]);
    const took = ((performance.now() - started) / 1000).toFixed(0);
    seen = readStorageObservations(storage);
    swept = readSweepObservations(sweep);
    say('lacking' in machine ? '' : `${machine.title}: ${took} s`);
    for (const { delayMs, changeMs, proof } of seen.changes) {
      const measured = proof?.p50Ms.toFixed(2) ?? 'unknown';
      say(`  ${delayMs} ms requested, ${measured} ms measured, set in ${changeMs.toFixed(0)} ms`);
    }
  });

  test('is what --storage auto chooses', () => {
    expect(seen.chosen).toBe('dm-delay');
    expect(seen.describe).toMatch(/^dm-delay: .*ext4 without journal.*read-ahead 128 KiB$/);
  });

  test('the delay changes while a disk is mounted and a file is open, and every read waits for it', () => {
    expect(seen.changes.map(({ delayMs }) => delayMs)).toEqual([0, 20, 1, 50, 5]);
    const p50Of = (delayMs: number) =>
      seen.changes.find((change) => change.delayMs === delayMs)?.proof?.p50Ms ?? Number.NaN;
    expect(p50Of(1)).toBeLessThan(p50Of(50));
    for (const { delayMs, proof } of seen.changes) {
      expect(proof).toMatchObject({ storage: 'dm-delay', requestedDelayMs: delayMs });
      expect(proof?.p50Ms).toBeGreaterThanOrEqual(Math.max(0, delayMs - tickMs));
    }
    expect(seen.contentKept).toBe(true);
  });

  test('writes wait only when configured to, and the counters show each request', () => {
    const { direct, delayedWrites } = seen;
    const leastMs = direct.requests * (direct.delayMs - tickMs);
    expect(direct.readsTookMs).toBeGreaterThan(leastMs);
    expect(direct.writesTookMs).toBeLessThan(direct.readsTookMs);
    expect(delayedWrites.readsTookMs).toBeGreaterThan(leastMs);
    expect(delayedWrites.writesTookMs).toBeGreaterThan(leastMs);
    for (const { counted, requests } of [direct, delayedWrites]) {
      expect(counted.reads).toBe(requests);
      expect(counted.writes).toBeGreaterThanOrEqual(requests);
    }
  });

  test('flushes wait for their own delay, and writes without a flush do not wait', () => {
    const { delayMs, flushes, tookMs, writesTookMs } = seen.flushes;
    expect(tookMs).toBeGreaterThan(flushes * delayMs - tickMs);
    expect(writesTookMs).toBeLessThan(tookMs);
  });

  test('a share of the disk is unreadable: always the same sectors, and only while enabled; or the option is refused', () => {
    if ('refused' in seen.badReads)
      return expect(seen.badReads.refused).toBe('CS_STORAGE_BAD_READS');
    const { rate, reads, failed } = seen.badReads;
    const [before, on, off, again] = failed;
    expect([before, off]).toEqual([[], []]);
    // A read touches up to two regions of the disk, each of which fails as a whole.
    expect(on?.length).toBeGreaterThan(0.4 * rate * reads);
    expect(on?.length).toBeLessThan(3.5 * rate * reads);
    expect(again).toEqual(on);
  });

  test('a detached disk leaves nothing behind', () => {
    expect(seen.afterDetach).toEqual(nothing);
  });

  test('a SIGKILL leaves device, loop, mount and files; the next start removes them', () => {
    const { left, reaped, failures } = seen.killed;
    expect(left.deviceMapper).toHaveLength(1);
    expect(left.loops).toHaveLength(1);
    expect(left.mounts).toHaveLength(1);
    expect(left.directories).toHaveLength(1);
    expect({ reaped, failures }).toEqual({ reaped: nothing, failures: 0 });
  });

  test('storage goes up, changes its delay, reports its state and goes down', () => {
    const [up, set, status, down] = seen.storageCommands;
    expect(seen.storageCommands.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(up?.stdout).toMatch(/^requested +5 ms/m);
    expect(set?.stdout).toMatch(/^requested +20 ms/m);
    expect(status?.stdout).toMatch(/^storage +dm-delay: /m);
    const measuredMs = Number(/^measured +(\d+\.\d+) ms/m.exec(status?.stdout ?? '')?.[1]);
    expect(measuredMs).toBeGreaterThanOrEqual(20 - tickMs);
    expect(down).toMatchObject({ stdout: '', stderr: '' });
  });

  test('the checks report that the processor is emulated, and detect the delay target', () => {
    const statuses = Object.fromEntries(seen.findings.map(({ id, status }) => [id, status]));
    expect(statuses).toMatchObject({ processor: 'warning', 'delay-target': 'ok' });
  });

  test('everything is removed at the end', () => {
    expect(seen.atTheEnd).toEqual(nothing);
    expect(swept.atTheEnd).toEqual(nothing);
  });

  describe('a sweep with Chromium and its cache on the delayed device', () => {
    let run: Awaited<ReturnType<typeof readRunOf<'sweep'>>>;
    let slow: Sample[];

    beforeAll(async () => {
      expect(swept.sweep?.code, swept.sweep?.stderr).toBe(0);
      run = await readRunOf('sweep', join(base, 'sweep/sweep'));
      slow = run.samples.filter(({ cell }) => cell.storage === 'dm-delay');
    });

    const readMs = (arm: string, storage: string) =>
      run.samples.find(
        ({ kind, cell }) => kind === 'timed' && cell.arm === arm && cell.storage === storage,
      )?.readMs ?? Number.NaN;

    test('is complete: every cell of the plan, with its confirmation read', () => {
      expect(run.run.status).toBe('complete');
      const kinds = Map.groupBy(run.samples, ({ kind }) => kind);
      // The control and 100 ms, two arms each.
      expect(kinds.get('timed')).toHaveLength(4);
      expect(kinds.get('companion')).toHaveLength(4);
    });

    test('three witnesses agree on every read of the delayed device', () => {
      for (const sample of slow) {
        expect(sample, JSON.stringify(sample)).toMatchObject({ flags: [], originRequests: 0 });
        expect(sample.attribution.source).toBe('disk');
        expect(sample.device?.reads).toBeGreaterThan(0);
        expect(sample.bodySha256).toBe(run.run.plan.workload.resourceSha256);
      }
    });

    /** The delay of the sweep's slow cells, ms. */
    const longMs = 100;

    test('every read waits for the device at least twice, and the device counts at least as many reads', () => {
      for (const arm of ['br', 'dcb']) {
        const reads = slow.find(({ cell }) => cell.arm === arm)?.device?.reads ?? Number.NaN;
        // User-mode Linux 6.1 counts two device reads for the small Brotli entry, other kernels three.
        expect(reads).toBeGreaterThanOrEqual(2);
        // No upper bound: an emulated processor on a busy machine adds any amount of time.
        expect(readMs(arm, 'dm-delay')).toBeGreaterThan(2 * (longMs - tickMs));
      }
    });

    test('every delay is proved when it is set: the device is at most one tick faster than requested', () => {
      const proofs = run.run.proofs.filter(({ storage }) => storage === 'dm-delay');
      expect(run.run.plan.crossed).toBe(true);
      expect(proofs.length).toBeGreaterThanOrEqual(1);
      for (const { p50Ms, requestedDelayMs } of proofs)
        expect(p50Ms).toBeGreaterThanOrEqual(requestedDelayMs - tickMs);
    });

    test('the report and its charts are written', () => {
      expect(existsSync(join(base, 'sweep/sweep', 'report.html'))).toBe(true);
      expect(readdirSync(join(base, 'sweep/sweep', 'charts'))).toContain('read-time.png');
      expect(swept.sweep.stdout).toMatch(/control/);
    });
  });
});
