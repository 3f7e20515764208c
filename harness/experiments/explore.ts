import { join } from 'node:path';
import { type ExploreRun, type ExploreRunDocument } from '@cachescope/model/explore-run.ts';
import { withStoredBytes } from '@cachescope/model/lab-stored.ts';
import { schemaVersion } from '@cachescope/model/run-base.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { sleep } from 'zx';
import { cacheUsage } from '../browser/cache-usage.ts';
import { cacheEntries } from '../browser/disk-cache.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import { readRunOf, type RunDirectory } from '../results/run-directory.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import { attachPlace, type Place, type PlaceOptions } from '../runner/place.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';
import { ExploreLab } from './explore-lab.ts';
import { ExploreRecord } from './explore-record.ts';

/** How often is looked whether the user wants to end, ms. */
const pauseMs = 100;

/** What an exploration is to be. */
export interface ExplorePlan {
  storage: ExploreRun['plan']['storage'];
  /** Read delay at the start, ms; null without a slow device. */
  delayMs: number | null;
  /** null: the origin's index page. */
  url: string | null;
  /** null: the origin's catalog. */
  workloads: readonly Workload[] | null;
}

/** What an exploration works with, found and checked before it starts. */
export interface ExploreBench extends PlaceOptions {
  commandLine: string[];
  toolVersion: string;
  directory: RunDirectory;
  interrupt: Interrupt;
  canDropPageCache: boolean;
  machine: MachineWatch;
  /** Told what happens, one line a step. */
  say: (line: string) => void;
}

/** An exploration that has ended. */
export interface ExploreOutcome {
  document: ExploreRunDocument;
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/**
 * Opens a browser for a person, with its cache on the slow disk, until they close it or interrupt. Every load is on disk
 * as soon as the extension tells it.
 *
 * @throws CachescopeError when the browser did not come up; what was made until then is undone.
 */
export async function runExplore(plan: ExplorePlan, bench: ExploreBench): Promise<ExploreOutcome> {
  const resources = new AsyncDisposableStack();
  try {
    await explore(plan, bench, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
  const cleanUpError = await resources.disposeAsync().then(
    () => null,
    (error: unknown) => error,
  );
  return { document: await readRunOf('explore', bench.directory.path), cleanUpError };
}

async function explore(
  plan: ExplorePlan,
  bench: ExploreBench,
  resources: AsyncDisposableStack,
): Promise<void> {
  const { privilege, directory, say, interrupt } = bench;
  resources.defer(() => directory.close());
  const work = await makeWorkDirectory('explore', privilege);
  resources.defer(work.remove);
  say(plan.storage === 'none' ? 'Ordinary storage, no delay' : `Attaching ${plan.storage} storage`);
  const found = { ...bench, temporaryDirectory: join(work.path, 't') };
  const place = await attachPlace(found, plan.storage, join(work.path, 'profile'), resources);
  const { disk, launch } = place;
  const cacheBytes = await cacheUsage(disk, launch.cacheDirectory);
  const record = new ExploreRecord(await newRun(plan, bench, place), directory, say);
  const lab = new ExploreLab({ ...bench, ...place, cacheBytes, record });
  const origin = await startOrigin({ lab, ...(plan.workloads && { workloads: plan.workloads }) });
  resources.defer(() => origin.close());
  const url = plan.url ?? `${origin.url}/`;
  Object.assign(record.run.plan, { url, workloads: origin.workloads.map(({ name }) => name) });
  await record.save();
  resources.defer(() => endUnended(record));
  say(`Origin: ${origin.url}\nToken of its control routes: ${origin.token}\nOpening ${url}`);
  resources.defer(() => lab.end());
  const { launched } = await lab.start(origin, plan.delayMs, url);
  record.run.environment.chromium = {
    version: launched.version,
    path: launch.executablePath,
    flags: launched.flags,
  };
  await record.save();
  say('Explore. Close the browser or press Ctrl-C to end.');
  while (!interrupt.requested && !lab.hasEnded) await sleep(pauseMs);
  say('Ending: saving what is left and cleaning up');
  const failure = interrupt.requested ? null : lab.failure;
  await lab.end();
  await addStoredBytes(record, place, directory.path);
  await noteMachine(record.run, bench.machine);
  record.end(failure);
  await record.save();
}

/** A run whose browser never came up is not running for ever. */
async function endUnended(record: ExploreRecord): Promise<void> {
  if (record.run.status !== 'running') return;
  record.end('the browser did not come up');
  await record.save();
}

/** With the browser closed and the delay gone, the entries can be looked at without disturbing anyone. */
async function addStoredBytes(
  record: ExploreRecord,
  { disk, launch }: Place,
  path: string,
): Promise<void> {
  try {
    if (disk.kind !== 'none') await disk.setDelay(0);
    const entries = await cacheEntries(launch.cacheDirectory);
    const { loads } = await readRunOf('explore', path);
    for (const load of withStoredBytes(loads, entries)) await record.saveLoad(load);
  } catch (error) {
    record.warn(`the stored sizes could not be read: ${messageOf(error)}`);
  }
}

async function newRun(
  plan: ExplorePlan,
  bench: ExploreBench,
  { disk, launch }: Place,
): Promise<ExploreRun> {
  const chromium = { version: 'unknown', path: launch.executablePath, flags: [] };
  return {
    schemaVersion,
    tool: { name: 'cachescope', version: bench.toolVersion },
    experiment: 'explore',
    status: 'running',
    startedAt: new Date().toISOString(),
    commandLine: bench.commandLine,
    environment: await describeEnvironment({ chromium, storage: disk.describe, timerStepMs: null }),
    proofs: [],
    machine: { before: bench.machine.before },
    warnings: [...bench.machine.warnings],
    plan: {
      storage: plan.storage,
      delayWrites: bench.delayWrites,
      delayMs: plan.delayMs,
      url: plan.url ?? '',
      workloads: [],
    },
    actions: [],
  };
}
