import type { FillPlan, FillSuite, FillSystem } from '@cachescope/model/fill/plan.ts';
import { kindOf } from '@cachescope/model/fill/plan.ts';
import type { FillTrial } from '@cachescope/model/fill/trial.ts';
import type { EdgeMode } from '@cachescope/origin/edge/edge.ts';
import { totalmem } from 'node:os';
import { CachescopeError } from '../../error.ts';
import type { NginxBinary } from '../../nginx/nginx-binary.ts';
import { nginxConfig, type NginxMode } from '../../nginx/nginx-config.ts';
import { startNginx } from '../../nginx/nginx.ts';
import type { Privilege } from '../../privilege.ts';
import { type FillBrowserOptions, placeOf, readInBrowser } from './browser.ts';
import { type FillReading, type FillTask, readAll } from './client.ts';
import type { ReaderServer } from './reader-server.ts';
import { type FillOrigin, startThread } from './server.ts';

/** The resources that every system uses during a run. */
export interface FillLab {
  plan: FillPlan;
  origin: FillOrigin;
  readers: ReaderServer;
  privilege: Privilege;
  /** null: not available on this machine. */
  nginx: { own: NginxBinary | null; patched: NginxBinary | null };
  /** null: no browser was requested. */
  browser: FillBrowserOptions | null;
  shouldStop: () => boolean;
  /** Reports a sentence that readers of the result need to know. */
  warn: (sentence: string) => void;
  /** Receives the browser's version and flags once they are known. */
  noteChromium: (chromium: { version: string; flags: string[] }) => void;
}

/** Size limit of a cache, bytes: 2 GiB for all files of a trial, but at most half of the machine's memory. */
export const cacheLimitBytes = Math.min(2 * 1024 ** 3, Math.floor(totalmem() / 2));

/** The measurements of one trial, without its circumstances. */
export type TrialReading = FillReading & {
  contexts: number | null;
  busy: Omit<FillTrial['busy'], 'origin'>;
  /** The loss of the origin or the cache that ended the trial early; null: none. */
  failure: unknown;
};

/** Runs one trial of a system with an empty cache, which is removed afterwards. */
export async function readThrough(
  lab: FillLab,
  system: FillSystem,
  suite: FillSuite,
  prefix: string,
): Promise<TrialReading> {
  const task = taskOf(lab, suite, prefix);
  switch (kindOf(system)) {
    case 'origin':
      return readDirectly(lab, task);
    case 'edge':
      return readThroughEdge(lab, task, system.replace('edge-', '') as EdgeMode);
    case 'browser':
      return readWithBrowser(lab, task, system);
    case 'nginx':
      return readThroughNginx(lab, task, lab.nginx.own, system.replace('nginx-', '') as NginxMode);
    default: {
      const mode = system === 'nginx-tempfiles' ? 'tempfiles' : 'lock';
      return readThroughNginx(lab, task, lab.nginx.patched, mode);
    }
  }
}

function taskOf({ plan, origin, shouldStop }: FillLab, suite: FillSuite, prefix: string): FillTask {
  const { seed, fileBytes: bytes, chunkHz, workers, timeMs } = plan;
  const pace = { seed, bytes, durationMs: suite.fileMs, chunkHz };
  return { base: origin.url, prefix, pace, workers, timeMs, shouldStop };
}

/** Reads with readers in this thread: its event loop utilization shows whether they kept up. */
async function readHere(
  lab: FillLab,
  task: FillTask,
  cache: { failed: Promise<never>; busy: (() => number) | null } | null,
): Promise<TrialReading> {
  const before = performance.eventLoopUtilization();
  const reading = await readUntilLost(task, [lab.origin.failed, ...(cache ? [cache.failed] : [])]);
  const client = performance.eventLoopUtilization(before).utilization;
  return { ...reading, contexts: null, busy: { client, cache: cache?.busy?.() ?? null } };
}

/** When one of `lost` rejects, the readers end, so that none continues into the next trial. */
async function readUntilLost(
  task: FillTask,
  lost: readonly Promise<never>[],
): Promise<FillReading & { failure: unknown }> {
  const abort = new AbortController();
  let failure: unknown = null;
  Promise.race(lost).catch((error: unknown) => {
    failure = error;
    abort.abort();
  });
  const reading = await readAll({ ...task, signal: abort.signal });
  return { ...reading, failure };
}

function readDirectly(lab: FillLab, task: FillTask): Promise<TrialReading> {
  return readHere(lab, task, null);
}

async function readThroughEdge(
  lab: FillLab,
  task: FillTask,
  mode: EdgeMode,
): Promise<TrialReading> {
  const upstream = lab.origin.url;
  const edge = await startThread({ kind: 'edge', upstream, mode, limitBytes: cacheLimitBytes });
  try {
    const cache = { failed: edge.failed, busy: edge.watchBusy() };
    return await readHere(lab, { ...task, base: edge.url }, cache);
  } finally {
    await edge.close();
  }
}

async function readThroughNginx(
  lab: FillLab,
  task: FillTask,
  binary: NginxBinary | null,
  mode: NginxMode,
): Promise<TrialReading> {
  if (!binary) throw new CachescopeError('CS_NGINX_MISSING', `there is no nginx for ${mode}`);
  const { host: origin } = new URL(lab.origin.url);
  const { workers, pace } = task;
  const fileMs = pace.durationMs;
  const options = { mode, origin, workers, limitBytes: cacheLimitBytes, fileMs };
  const nginx = await startNginx(
    binary,
    (place) => nginxConfig({ ...options, ...place }),
    lab.privilege,
  );
  try {
    const cache = { failed: nginx.failed, busy: null };
    const reading = await readHere(lab, { ...task, base: nginx.url }, cache);
    const errors = await nginx.errors();
    for (const line of errors) lab.warn(`nginx (${mode}) logged: ${line}`);
    return reading;
  } finally {
    await nginx.close();
  }
}

async function readWithBrowser(
  lab: FillLab,
  task: FillTask,
  system: FillSystem,
): Promise<TrialReading> {
  const { origin, readers, browser } = lab;
  if (!browser) throw new CachescopeError('CS_BROWSER_MISSING', `${system} needs Chromium`);
  const upstream = origin.url;
  const limitBytes = cacheLimitBytes;
  const edge =
    system === 'browser+edge'
      ? await startThread({ kind: 'edge', upstream, mode: 'stream', limitBytes })
      : null;
  try {
    const busy = edge?.watchBusy();
    const { seed, bytes } = task.pace;
    const place = placeOf(system, task.workers);
    const plan = {
      base: edge?.url ?? origin.url,
      query: new URLSearchParams(
        Object.entries(task.pace).map(([key, value]) => [key, `${value}`]),
      ).toString(),
      seed,
      fileBytes: bytes,
      workers: task.workers,
      place,
      prefix: task.prefix,
      timeMs: task.timeMs,
    };
    const lost = [origin.failed, ...(edge ? [edge.failed] : [])];
    const launch = { inMemory: system === 'browser-memory', lost };
    const reading = await readInBrowser(browser, readers, plan, launch);
    const { requests, clientMs, version, flags } = reading;
    lab.noteChromium({ version, flags });
    const share = { client: null, cache: busy?.() ?? null };
    return { requests, clientMs, contexts: place.count, busy: share, failure: null };
  } finally {
    await edge?.close();
  }
}
