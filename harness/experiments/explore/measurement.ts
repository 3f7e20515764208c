import { join } from 'node:path';
import type { DeviceSpan, ExploreRun } from '@cachescope/model/explore/run.ts';
import { withStoredBytes } from '@cachescope/model/explore/stored.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { sleep } from 'zx';
import { cacheUsage } from '../../browser/cache-usage.ts';
import { cacheEntries } from '../../browser/disk-cache.ts';
import { anyHostFlags } from '../../browser/start.ts';
import { messageOf } from '../../error.ts';
import { attachPlace, type Place } from '../../lab/place.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { Found } from '../experiment.ts';
import { ExploreLab } from './lab.ts';
import { ExploreRecord } from './record.ts';

/** Polling interval for the end of the exploration, ms. */
const pauseMs = 100;
/** After this number of intervals it is reported whether something was suspended. */
const pausesEach = 10;

/** The plan of an exploration. */
export interface ExplorePlanned {
  /** The URL of the page and the workloads are known once the origin runs. */
  plan: Omit<ExploreRun['plan'], 'url' | 'workloads'> & {
    /** null: the origin's index page. */
    url: string | null;
  };
  /** null: the origin's catalog. */
  workloads: readonly Workload[] | null;
  /** Also save the values of Cookie, Authorization and similar headers. */
  keepCredentials: boolean;
  headful: boolean;
}

/** The requirements of an exploration. */
export interface ExploreFound extends ExplorePlanned, Found {
  plan: ExplorePlanned['plan'];
  canDropPageCache: boolean;
}

type ExploreSession = RunSession<ExploreRun, Load, ExploreFound, DeviceSpan>;

/**
 * Opens a browser for the user, with its cache on the slow disk, until the user closes it or interrupts the run. Every
 * load is written to the disk as soon as the extension reports it. Returns why the browser ended otherwise; null: the
 * user ended it.
 */
export async function measureExploration(session: ExploreSession): Promise<string | null> {
  const { found, privilege, extensionDirectory, work, resources, progress } = session;
  const { plan, workloads, headful, chromiumPath, canDropPageCache } = found;
  const { storage, delayWrites, delayMs } = plan;
  progress.step(storage === 'none' ? 'Ordinary storage, no delay' : `Attaching ${storage} storage`);
  const browser = { chromiumPath, extensionDirectory, headful, privilege, delayWrites };
  const options = { ...browser, temporaryDirectory: join(work, 't') };
  const place = await attachPlace(options, storage, join(work, 'profile'), resources);
  const { disk } = place;
  const extra = [...(place.launch.extra ?? []), ...(plan.external ? anyHostFlags : [])];
  const launch = { ...place.launch, extra };
  const cacheBytes = await cacheUsage(disk, launch.cacheDirectory);
  const record = new ExploreRecord(session, found.keepCredentials);
  const lab = new ExploreLab({ disk, launch, privilege, canDropPageCache, cacheBytes, record });
  const origin = await startOrigin({ lab, ...(workloads && { workloads }) });
  resources.defer(() => origin.close());
  const url = plan.url ?? `${origin.url}/`;
  progress.step(`Origin: ${origin.url}\nToken of its control routes: ${origin.token}`);
  progress.step(`Opening ${url}`);
  resources.defer(() => lab.end());
  const { version, flags } = (await lab.start(origin, delayMs, url)).launched;
  const chromium = { version, path: launch.executablePath, flags };
  const names = origin.workloads.map(({ name }) => name);
  const own = { plan: { ...plan, url, workloads: names }, actions: record.actions };
  await session.begin({ chromium, storage: disk.describe, timerStepMs: null }, own);
  record.begin();
  progress.step('Explore. Close the browser or press Ctrl-C to end.');
  const noteReads = await deviceWatch(session, disk);
  const isOver = () => session.shouldStop() || lab.hasEnded;
  const explore = async () => {
    for (let pause = 0; pause < pausesEach && !isOver(); pause++) {
      await sleep(pauseMs);
      await noteReads();
    }
  };
  while (!isOver()) await session.watched(explore);
  progress.step('Ending: saving and cleaning up');
  const failure = session.shouldStop() ? null : lab.failure;
  await lab.end();
  await addStoredBytes(session, record, place);
  return failure;
}

/** Notes the reads of the slow device at each call, and at first that there were none. */
async function deviceWatch(
  session: Pick<ExploreSession, 'keepBeside'>,
  disk: Pick<SlowDisk, 'kind' | 'counters'>,
): Promise<() => Promise<void>> {
  // While it is attached again, for another delay, there is no device.
  const look = async () => {
    const counters = await disk.counters().catch(() => null);
    return { at: new Date().toISOString(), reads: counters?.reads ?? null };
  };
  let before = await look();
  // Other programs use ordinary storage too.
  if (disk.kind === 'none' || before.reads === null) return () => Promise.resolve();
  await session.keepBeside({ startedAt: before.at, endedAt: before.at, reads: 0 });
  return async () => {
    const now = await look();
    const [was, is] = [before.reads, now.reads];
    // A device that was attached again counts from 0.
    const reads = was === null || is === null || is < was ? null : is - was;
    if (reads !== 0) await session.keepBeside({ startedAt: before.at, endedAt: now.at, reads });
    before = now;
  };
}

/** Runs after the browser is closed and the delay is removed, so that reading the entries disturbs no measurement. */
async function addStoredBytes(
  session: ExploreSession,
  record: ExploreRecord,
  { disk, launch }: Place,
): Promise<void> {
  try {
    if (disk.kind !== 'none') await disk.setDelay(0);
    const entries = await cacheEntries(launch.cacheDirectory);
    const latest = new Map(session.lines.map((load) => [load.id, load]));
    for (const load of withStoredBytes([...latest.values()], entries)) await record.saveLoad(load);
  } catch (error) {
    record.warn(`the stored sizes could not be read: ${messageOf(error)}`);
  }
}
