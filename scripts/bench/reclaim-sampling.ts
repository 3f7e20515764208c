import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ReclaimPlan } from '@cachescope/model/reclaim/plan.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { folderShare } from '../../harness/experiments/reclaim/cache-look.ts';
import { openChromiumSystem } from '../../harness/experiments/reclaim/chromium.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { Pace } from '../../harness/sampling/pace.ts';
import {
  simpleCacheHash,
  SimpleCacheDirectory,
} from '../../harness/sampling/simple-cache-directory.ts';

const looks = 20;
/** The number of entries in the cache of BBC's Belfrage cache-limit report (2020). */
const entries = 36_000;

const plan: ReclaimPlan = {
  system: 'chromium',
  rateHz: 425,
  timeMs: 1000,
  traffic: { kind: 'cache-bust' },
  payloadBytes: 1024,
  coding: 'identity',
  originDelayMs: 0,
  limitEntries: null,
  limitBytes: 64 * 1024 ** 2,
  reclaimRatio: null,
  policy: null,
  browser: { backEnd: null, storage: 'none', delayMs: 0 },
  windowMs: 1000,
  margin: 0.1,
  seed: 1,
};

/**
 * Cost of sampling Chromium once a second: its processes, threads and device, and a cache directory of 36,000 entries.
 */
export async function measureReclaimSampling(): Promise<void> {
  const machine = await machineShare();
  const folder = await folderCost();
  console.log(
    `Sampling each second: ${percent(machine)} of one core for processes, threads and the origin's word, ${percent(folder)} for a folder of ${entries.toLocaleString('en-US')} entries; together ${percent(machine + folder)} (goal: under 2 %).`,
  );
}

/** Nothing else runs meanwhile: all CPU time of this thread is the cost of sampling. */
async function machineShare(): Promise<number> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  await using resources = new AsyncDisposableStack();
  const privilege = createPrivilege({ dryRun: false, say: () => undefined });
  const bench = { chromiumPath: chromium.path, privilege };
  const system = await openChromiumSystem(plan, [], bench, resources);
  return await shareOf(() => system.look(null));
}

/** The files are settled and known, as in a run, where few files are new in each sample. */
async function folderCost(): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-bench-'));
  try {
    for (let entry = 0; entry < entries; entry++)
      writeFileSync(join(directory, `${simpleCacheHash(`${entry}`)}_0`), 'entry');
    await wait(1500);
    const folder = new SimpleCacheDirectory(directory);
    folder.look();
    const pace = new Pace(folderShare);
    return await shareOf(() => pace.take(() => folder.look()));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Share of one core used by one sample a second; the first two samples, in which code is compiled, are excluded. */
async function shareOf(look: () => unknown): Promise<number> {
  let [cpuMs, startedAt] = [0, 0];
  for (let number = -2; number < looks; number++) {
    if (number === 0) [cpuMs, startedAt] = [0, performance.now()];
    const before = process.threadCpuUsage();
    await look();
    const { user, system } = process.threadCpuUsage(before);
    cpuMs += (user + system) / 1000;
    await wait(1000);
  }
  return cpuMs / (performance.now() - startedAt);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}
