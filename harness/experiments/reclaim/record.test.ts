import {
  madeUpPass,
  madeUpReclaimPlan,
  madeUpReclaimWindow,
} from '@cachescope/model/fixtures/reclaim.ts';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import type { ReclaimLine } from '@cachescope/model/reclaim/run.ts';
import { expect, test } from 'vitest';
import { ReclaimRecord, type RecordTools } from './record.ts';
import type { ReclaimSystem } from './system.ts';

const profile = { spanMs: 1000, shares: [] };

/** A system whose load has `windows` windows of one second; `dies` makes it fail after the last of them. */
function madeUpSystem(windows: number, changes: Partial<ReclaimSystem> = {}, dies = false) {
  const asked: string[] = [];
  const system: ReclaimSystem = {
    async attack(attack) {
      attack.began(1e12);
      for (let second = 0; second < windows && !attack.shouldStop(); second++) {
        const { atMs, spanMs, load } = madeUpReclaimWindow(second);
        attack.window({ atMs, spanMs, load });
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (dies) throw new Error('the origin ended: SIGKILL');
    },
    async sample(epochMs) {
      asked.push(`sample ${epochMs}`);
      const { kind: _kind, sequence: _sequence, ...pass } = madeUpPass(1);
      return { system: madeUpReclaimWindow(0).system, passes: [{ kind: 'reclaim', ...pass }] };
    },
    profile: {
      start: async () => void asked.push('start'),
      stop: async () => profile,
    },
    warnings: () => [],
    chromium: { version: 'not used', path: '', flags: [] },
    storage: 'memory',
    ...changes,
  };
  return { system, asked };
}

function record(
  system: ReclaimSystem,
  changes: Partial<RecordTools> = {},
  plan: Partial<ReclaimPlan> = {},
) {
  const saved: ReclaimLine[] = [];
  const warnings: string[] = [];
  const tools: RecordTools = {
    lines: saved,
    keep: async (line) => void saved.push(line),
    progress: { advance: () => undefined, warn: (line) => void warnings.push(line) },
    shouldStop: () => false,
    watched: async (work) => ({ result: await work(), flags: [] }),
    ...changes,
  };
  return { saved, warnings, taken: new ReclaimRecord(madeUpReclaimPlan(plan), system, tools) };
}

test('each window is one line after its eviction passes; lines are numbered in the order of saving', async () => {
  const { system, asked } = madeUpSystem(3);
  const { taken, saved } = record(system);
  expect(await taken.take()).toBeNull();
  expect(saved.map(({ kind }) => kind)).toEqual(
    Array.from({ length: 3 }, () => ['reclaim', 'window']).flat(),
  );
  expect(saved.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(asked).toEqual([
    'sample null',
    ...Array.from({ length: 3 }, () => 'sample 1000000000000'),
  ]);
});

test('a window during which something was suspended is marked', async () => {
  let watches = 0;
  const watched: RecordTools['watched'] = async (work) => {
    const flags = watches++ === 1 ? (['suspended'] as 'suspended'[]) : [];
    return { result: await work(), flags };
  };
  const { taken, saved } = record(madeUpSystem(3).system, { watched });
  await taken.take();
  const windows = saved.filter((line) => line.kind === 'window');
  expect(windows.map(({ suspended }) => suspended)).toEqual([undefined, true, undefined]);
});

test('when a system dies, the reason and all earlier lines are kept', async () => {
  const { taken, saved } = record(madeUpSystem(2, {}, true).system);
  expect(await taken.take()).toBe('the origin ended: SIGKILL');
  expect(saved.filter(({ kind }) => kind === 'window')).toHaveLength(2);
});

test('a full disk ends the load, and a line that is not saved is not counted', async () => {
  const saved: ReclaimLine[] = [];
  const keep = async (line: ReclaimLine) => {
    if (saved.length === 4) throw new Error('ENOSPC: no space left on device, write');
    saved.push(line);
  };
  const { system, asked } = madeUpSystem(1000);
  const { taken } = record(system, { keep, lines: saved });
  expect(await taken.take()).toContain('ENOSPC');
  expect(saved).toHaveLength(4);
  expect(asked.length).toBeLessThan(20);
});

test('memory after a garbage collection is measured before the load and after it', async () => {
  const collect = async () => ({ heapBytes: 1, externalBytes: 2 });
  const { taken, saved } = record(madeUpSystem(1, { collect }).system);
  await taken.take();
  const held = { kind: 'held', heapBytes: 1, externalBytes: 2 };
  expect(saved.at(0)).toEqual({ ...held, sequence: 0, when: 'before', atMs: 0 });
  expect(saved.at(-1)).toEqual({ ...held, sequence: 3, when: 'after', atMs: 1000 });
});

test('an origin that is gone at the memory measurement after the load makes the run partial', async () => {
  let asked = 0;
  const collect = async () => {
    if (asked++ > 0) throw new Error('the origin ended: SIGKILL');
    return { heapBytes: 1, externalBytes: 2 };
  };
  const { taken, saved } = record(madeUpSystem(1, { collect }).system);
  expect(await taken.take()).toBe('the origin ended: SIGKILL');
  expect(saved.map(({ kind }) => kind)).toEqual(['held', 'reclaim', 'window']);
});

test('the last tenth is profiled; a profile that fails is only a warning', async () => {
  const plan = { timeMs: 10_000 };
  const { system } = madeUpSystem(10);
  const { taken, saved } = record(system, {}, plan);
  await taken.take();
  expect(saved.at(-1)).toEqual({ kind: 'cpu-profile', sequence: 20, atMs: 9000, ...profile });
  const start = () => Promise.reject(new Error('inspector is busy'));
  const broken = madeUpSystem(10, { profile: { start, stop: async () => null } });
  const failed = record(broken.system, {}, plan);
  expect(await failed.taken.take()).toBeNull();
  expect(failed.warnings).toEqual(['The origin is not profiled: inspector is busy']);
});
