import { type ReclaimPlan, reclaimSystems } from '@cachescope/model/reclaim-plan.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import type { ReplayedRequest } from '@cachescope/model/replay.ts';
import { diskCacheBackEnds } from '@cachescope/model/variant.ts';
import { longestItemDelayMs } from '@cachescope/origin/routes/reclaim.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import {
  type Problems,
  readEnvironmentRule,
  readInteger,
  readNumber,
  readOut,
  readPercentage,
  readStorage,
  readTime,
} from './option-reading.ts';
import { readLimits, readOneOf } from './reclaim-limit-reading.ts';
import { readTraffic } from './reclaim-traffic-reading.ts';

/** What the command line of `reclaim` says, read and checked. */
export interface ReclaimOptions {
  plan: ReclaimPlan;
  /** What a replay sends again; empty otherwise. */
  replay: readonly ReplayedRequest[];
  storage: 'auto' | StorageKind;
  browser: string | undefined;
  environment: EnvironmentRule;
  /** Wait for another run on this machine to end. */
  wait: boolean;
  out: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** The command line as text, before it is read. */
export interface RawReclaimOptions {
  system: string;
  rate: string;
  time?: string | undefined;
  traffic: string;
  skew: string;
  hitRate: string;
  population?: string | undefined;
  speed: string;
  share: string;
  payload: string;
  coding: string;
  originDelay: string;
  limit?: string | undefined;
  limitBytes?: string | undefined;
  ratio?: string | undefined;
  policy?: string | undefined;
  diskCache?: string | undefined;
  storage: string;
  delay: string;
  window?: string | undefined;
  margin: string;
  browser?: string | undefined;
  seed?: string | undefined;
  env: string;
  wait: boolean;
  out?: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** Those of the document that this follows, where it names any. */
export const reclaimDefaults = {
  system: 'origin',
  rate: '425',
  traffic: 'cache-bust',
  skew: '0.8',
  hitRate: '34%',
  speed: '1',
  share: '100%',
  payload: '1kb',
  coding: 'identity',
  originDelay: '0',
  storage: 'none',
  delay: '0',
  margin: '10%',
  env: 'warn',
} as const;

function readBrowserPlan(
  raw: RawReclaimOptions,
  system: ReclaimPlan['system'],
  problems: Problems,
): ReclaimPlan['browser'] {
  const backEnd =
    raw.diskCache === undefined
      ? null
      : readOneOf('--disk-cache', raw.diskCache, diskCacheBackEnds, problems);
  const delayMs = readNumber('--delay', raw.delay, [0, 10_000], 'ms', problems);
  if (system === 'chromium') return { backEnd, storage: 'none', delayMs };
  if (backEnd !== null) problems.push('--disk-cache is for --system chromium');
  if (delayMs > 0) problems.push('--delay is for --system chromium: of the disk of its cache');
  return system === 'origin' ? null : { backEnd: null, storage: 'none', delayMs: 0 };
}

/** ms, and less than a request may take: otherwise no miss could be answered. */
function readOriginDelay(text: string, problems: Problems): number {
  const found: Problems = [];
  const range = [0, longestItemDelayMs] as const;
  const delayMs = readNumber('--origin-delay', text, range, 'ms', found);
  problems.push(
    ...found.map((problem) => `${problem}: a request without an answer after 30 s has failed`),
  );
  return delayMs;
}

/** A second, as the document looked at its short tests; half a minute in runs as long as its long one. */
function usualWindow(timeMs: number): string {
  return timeMs < 30 * 60_000 ? '1s' : '30s';
}

/** Reads the command line of `reclaim`. All that is wrong with it is returned, none of it thrown. */
export function readReclaimOptions(raw: RawReclaimOptions): {
  options: ReclaimOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const seed =
    raw.seed === undefined
      ? Math.floor(Math.random() * 2 ** 32)
      : readInteger('--seed', raw.seed, 0, 2 ** 32 - 1, problems);
  const system = readOneOf('--system', raw.system, reclaimSystems, problems);
  const limits = readLimits(raw, system, problems);
  const { replay, ...traffic } = readTraffic(raw, limits, seed, problems);
  const plan: ReclaimPlan = {
    system,
    ...traffic,
    coding: readOneOf('--coding', raw.coding, ['identity', 'gzip'], problems),
    originDelayMs: readOriginDelay(raw.originDelay, problems),
    ...limits,
    browser: readBrowserPlan(raw, system, problems),
    windowMs: readTime('--window', raw.window ?? usualWindow(traffic.timeMs), problems),
    margin: readPercentage('--margin', raw.margin, [0.1, 100], problems),
    seed,
  };
  const options: ReclaimOptions = {
    plan,
    replay,
    storage: readStorage(raw.storage, problems),
    browser: raw.browser,
    environment: readEnvironmentRule(raw.env, problems),
    wait: raw.wait,
    out: readOut(raw.out, problems),
    json: raw.json,
    dryRun: raw.dryRun,
  };
  if ((plan.browser?.delayMs ?? 0) > 0 && options.storage === 'none')
    problems.push(`--delay ${raw.delay} needs a disk that can be slow; add --storage auto`);
  if (options.storage !== 'none' && system !== 'chromium')
    problems.push('--storage is for --system chromium: what the disk cache lies on');
  return { options, problems };
}
