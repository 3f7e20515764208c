import { totalmem } from 'node:os';
import { type FillSuite, type FillSystem, kindOf } from '@cachescope/model/fill/plan.ts';
import type { FillTrial } from '@cachescope/model/fill/trial.ts';
import type { EdgeMode } from '@cachescope/origin/edge/edge.ts';
import { CachescopeError } from '../../error.ts';
import { nginxConfig, type NginxMode } from '../../nginx/nginx-config.ts';
import { startNginx } from '../../nginx/nginx.ts';
import { placeOf, readInBrowser } from './browser.ts';
import { type FillReading, type FillTask, readBusy } from './client.ts';
import type { FillLab, FillSession } from './lab.ts';
import { readBehindLink } from './far-readers.ts';
import type { FillFound } from './needs.ts';
import { startThread, type ThreadServer } from './server.ts';

/** Size limit of a cache, bytes: 2 GiB for all files of a trial, but at most half of the machine's memory. */
export const cacheLimitBytes = Math.min(2 * 1024 ** 3, Math.floor(totalmem() / 2));

/** The measurements of one trial, without its circumstances. */
export type TrialReading = FillReading & {
  contexts: number | null;
  busy: Omit<FillTrial['busy'], 'origin'>;
  /** The loss of the origin or the cache that ended the trial early; null: none. */
  failure: unknown;
};

/** An edge or nginx in front of the origin. nginx has a log; its processes have no event loop to measure. */
type ProxyServer = Pick<ThreadServer, 'url' | 'failed' | 'close'> &
  Partial<Pick<ThreadServer, 'watchBusy'>> & { errors?: () => Promise<string[]> };

const edgeModes: Partial<Record<FillSystem, EdgeMode>> = {
  'edge-pass': 'pass',
  'edge-lock': 'lock',
  'edge-stream': 'stream',
  'browser+edge': 'stream',
};

const nginxModes: Partial<Record<FillSystem, readonly [keyof FillFound['nginx'], NginxMode]>> = {
  'nginx-pass': ['own', 'pass'],
  'nginx-lock': ['own', 'lock'],
  'nginx-patched-lock': ['patched', 'lock'],
  'nginx-tempfiles': ['patched', 'tempfiles'],
};

/** Runs one trial of a system with an empty cache, which is removed afterwards. */
export async function readThrough(
  lab: FillLab,
  system: FillSystem,
  suite: FillSuite,
  prefix: string,
): Promise<TrialReading> {
  const { session, origin } = lab;
  const proxy = await startProxy(lab, system, suite);
  try {
    const { seed, fileBytes: bytes, chunkHz, workers, timeMs } = session.found.plan;
    const pace = { seed, bytes, durationMs: suite.fileMs, chunkHz };
    const task = { base: proxy?.url ?? origin.url, prefix, pace, workers, timeMs };
    const lost = [origin.failed, ...(proxy ? [proxy.failed] : [])];
    const proxyBusy = proxy?.watchBusy?.();
    const reading =
      kindOf(system) === 'browser'
        ? await readWithBrowser(lab, system, task, lost)
        : await readInNode(session, task, lost);
    const { client, ...measured } = reading;
    const busy = { client, cache: proxyBusy?.() ?? null };
    const errors = (await proxy?.errors?.()) ?? [];
    for (const line of errors) session.warn(`nginx (${nginxModes[system]?.[1]}) logged: ${line}`);
    return { ...measured, busy };
  } finally {
    await proxy?.close();
  }
}

/** Starts the proxy of a system; null: it has none. */
async function startProxy(
  { session, origin }: FillLab,
  system: FillSystem,
  { fileMs }: FillSuite,
): Promise<ProxyServer | null> {
  const { found, privilege } = session;
  const { end: link } = session.link;
  const limitBytes = cacheLimitBytes;
  const edgeMode = edgeModes[system];
  if (edgeMode)
    return startThread({ kind: 'edge', upstream: origin.url, mode: edgeMode, limitBytes, link });
  const [owner, mode] = nginxModes[system] ?? [];
  if (!owner || !mode) return null;
  const binary = found.nginx[owner];
  if (!binary) throw new CachescopeError('CS_NGINX_MISSING', `there is no nginx for ${mode}`);
  const { workers } = found.plan;
  const options = { mode, origin: new URL(origin.url).host, workers, limitBytes, fileMs, link };
  return startNginx(binary, (place) => nginxConfig({ ...options, ...place }), privilege);
}

type Reading = Omit<TrialReading, 'busy'> & { client: number | null };

type PlainTask = Omit<FillTask, 'shouldStop' | 'signal'>;

/**
 * Reads with readers in this thread, or in a process behind the link. When one of `lost` rejects, the readers end, so that
 * none continues into the next trial.
 */
async function readInNode(
  session: FillSession,
  task: PlainTask,
  lost: readonly Promise<never>[],
): Promise<Reading> {
  const abort = new AbortController();
  let failure: unknown = null;
  Promise.race(lost).catch((error: unknown) => {
    failure = error;
    abort.abort();
  });
  const stoppable = { ...task, shouldStop: () => session.shouldStop(), signal: abort.signal };
  const { end } = session.link;
  const reading = await (end ? readBehindLink(end, stoppable) : readBusy(stoppable));
  return { ...reading, contexts: null, failure };
}

async function readWithBrowser(
  lab: FillLab,
  system: FillSystem,
  task: PlainTask,
  lost: readonly Promise<never>[],
): Promise<Reading> {
  const place = placeOf(system, task.workers);
  const launch = { inMemory: system === 'browser-memory', lost };
  const { requests, clientMs } = await readInBrowser(lab, { ...task, place }, launch);
  return { requests, clientMs, contexts: place.count, client: null, failure: null };
}
