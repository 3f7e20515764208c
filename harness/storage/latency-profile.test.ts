import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quantile } from '@cachescope/model/statistics/quantile.ts';
import { expect, onTestFinished, test } from 'vitest';
import {
  type Latencies,
  latencyFile,
  type LatencyProfile,
  latencyTable,
  plannedProfile,
  writeLatencies,
} from './latency-profile.ts';

const plugin = join(import.meta.dirname, 'back-ends', 'nbd-live.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('Draws of nbd-live.py are not tested: there is no python3\n');

/** Latencies as the plugin draws them in sequence, without nbdkit. */
function drawn(profile: LatencyProfile, count: number): number[] {
  const directory = mkdtempSync(join(tmpdir(), 'latencies-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeLatencies(directory, profile);
  const program = [
    'import random, runpy, sys, types',
    'sys.modules["nbdkit"] = types.ModuleType("nbdkit")',
    'random.seed(1)',
    'latencies = runpy.run_path(sys.argv[1])["Latencies"](sys.argv[2])',
    'print(*(latencies.draw() for _ in range(int(sys.argv[3]))))',
  ].join('\n');
  const words = ['-c', program, plugin, latencyFile(directory), `${count}`];
  const { stdout, stderr } = spawnSync('python3', words, { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.trim().split(' ').map(Number);
}

test('a table has the quantiles of its distribution', () => {
  const lognormal: Latencies = { kind: 'lognormal', medianMs: 0.1, sigma: 1 };
  const table = latencyTable(lognormal);
  expect(quantile(table, 0.5)).toBeCloseTo(0.1, 3);
  // The median times exp(1.6449 σ) and exp(2.3263 σ): the normal distribution's quantiles at 95 % and 99 %.
  expect(quantile(table, 0.95)).toBeCloseTo(0.518, 2);
  expect(quantile(table, 0.99)).toBeCloseTo(1.024, 1);
  const recorded = latencyTable({ kind: 'recorded', quantilesMs: [1, 2, 10] });
  expect(quantile(recorded, 0.25)).toBeCloseTo(1.5, 1);
  expect(quantile(recorded, 0.75)).toBeCloseTo(6, 1);
  expect(new Set(latencyTable({ kind: 'constant', ms: 3 }))).toEqual(new Set([3]));
});

test.skipIf(!hasPython)('the device draws its latencies from the written profile', () => {
  const read: Latencies = { kind: 'recorded', quantilesMs: [1, 2, 3] };
  const times = drawn({ name: 'x', source: 'test', read }, 20_000);
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1);
  expect(Math.max(...times)).toBeLessThanOrEqual(3);
  expect(quantile(times, 0.5)).toBeCloseTo(2, 1);
  expect(quantile(times, 0.95)).toBeCloseTo(2.9, 1);
});

test.skipIf(!hasPython)('stalls have the requested share and length', () => {
  const stalls = { read: { kind: 'constant', ms: 50 }, begin: 0.01, end: 0.1 } as const;
  const read = { kind: 'constant', ms: 1 } as const;
  const times = drawn({ name: 'x', source: 'test', read, stalls }, 50_000);
  const stalled = times.filter((ms) => ms === 50).length;
  const begun = times.filter((ms, index) => ms === 50 && times[index - 1] !== 50).length;
  // Of a two-state Markov chain: 0.01 / (0.01 + 0.1) of the reads, 10 of them in a row on average.
  expect(stalled / times.length).toBeCloseTo(0.091, 1);
  expect(stalled / begun).toBeGreaterThan(8);
  expect(stalled / begun).toBeLessThan(12);
});

test('a profile of a run.json is refused with every rule that it breaks', () => {
  const read = { kind: 'constant', ms: 1 } as const;
  const profile = { name: 'x', source: 'test', read };
  expect(plannedProfile(profile)).toEqual(profile);
  expect(plannedProfile(undefined)).toBeUndefined();
  const broken = { ...profile, source: '', read: { kind: 'constant', ms: -1 } };
  expect(() => plannedProfile(broken)).toThrow(/source: .*; .*read/);
});
