import {
  type ReclaimPlan,
  reclaimPolicies,
  reclaimSystems,
} from '@cachescope/model/reclaim/plan.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { ReplayedRequest } from '@cachescope/model/reclaim/recorded-request.ts';
import { diskCacheBackEnds } from '@cachescope/model/run/variant.ts';
import { longestItemDelayMs } from '@cachescope/origin/routes/reclaim.ts';
import type { Problems } from '../../options/option-reading.ts';
import { oneOf } from '../../options/name-reading.ts';
import { delayRule, quantity } from '../../options/quantity-option.ts';
import { commandOptions } from '../../options/option-table.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { featuresOption } from '../../options/features-reading.ts';
import { storageOption } from '../../options/shared-options.ts';
import { readLimits } from './limit-reading.ts';
import { readTraffic } from './traffic-reading.ts';

/** The parsed options of `reclaim`. */
export interface ReclaimAsked {
  plan: ReclaimPlan;
  /** The requests that a replay sends; empty otherwise. */
  replay: readonly ReplayedRequest[];
  storage: 'auto' | StorageKind;
}

const readItemDelay = quantity({ ...delayRule, to: `${longestItemDelayMs}ms` });
const readWindow = quantity({ kind: 'time', from: '100ms', to: '1h' });

/** In ms, and less than the response timeout: otherwise no miss could be answered. */
function readOriginDelay(text: string, flag: string, problems: Problems): number {
  const found: Problems = [];
  const delayMs = readItemDelay(text, flag, found);
  problems.push(
    ...found.map((problem) => `${problem}: a request without an answer after 30 s has failed`),
  );
  return delayMs;
}

/**
 * The options of `reclaim`. The defaults are those of the BBC Belfrage cache-limit report (2020), where it names any.
 * Limits and traffic are parsed together, because their meaning depends on other options.
 */
export const reclaimOptions = commandOptions(
  {
    system: {
      value: '<name>',
      description: 'origin, chromium or chromium-memory',
      default: 'origin',
      read: oneOf(reclaimSystems),
    },
    rate: {
      value: '<n>',
      description: 'requests a second',
      default: '425',
    },
    time: {
      value: '<time>',
      description: 'duration (default: 20m; of a replay, all of it)',
    },
    traffic: {
      value: '<kind>',
      description: 'cache-bust, zipf, or a file: HAR or common log',
      default: 'cache-bust',
    },
    skew: {
      value: '<n>',
      description: 'zipf: the exponent',
      default: '0.8',
    },
    hitRate: {
      value: '<share>',
      description: 'zipf: hit rate from which the number of keys follows',
      default: '34%',
    },
    population: {
      value: '<n>',
      description: 'zipf: number of keys, instead of --hit-rate',
    },
    speed: {
      value: '<n>',
      description: 'replay: speed-up factor',
      default: '1',
    },
    share: {
      value: '<share>',
      description: 'replay: share of the requests that are sent',
      default: '100%',
    },
    payload: {
      value: '<size>',
      description: 'size of each body; recorded: as in the log',
      default: '1KiB',
    },
    coding: {
      value: '<coding>',
      description: 'identity or gzip',
      default: 'identity',
      read: oneOf(['identity', 'gzip']),
    },
    originDelay: {
      value: '<ms>',
      description: 'wait of the origin before it generates a body',
      default: '0',
      read: readOriginDelay,
    },
    limit: {
      value: '<n>',
      description: 'largest number of entries of the origin, or none (default: 36000)',
    },
    limitBytes: {
      value: '<size>',
      description: 'limit of the cache (default: origin 4GiB, chromium 64MiB)',
    },
    ratio: {
      value: '<share>',
      description: 'share of the limit that an eviction pass removes (default: 30%)',
    },
    policy: {
      value: '<name>',
      description: `${reclaimPolicies.join(', ')} (default: lrw)`,
    },
    diskCache: {
      value: '<kind>',
      description: 'Chromium: simple, blockfile or sql',
      read: oneOf(diskCacheBackEnds),
    },
    features: featuresOption,
    storage: storageOption(
      "below Chromium's cache: auto, dm-delay, nbd-live, nbd-delay, none",
      'none',
    ),
    delay: {
      value: '<ms>',
      description: 'delay of each read of that storage',
      default: '0',
      read: quantity(delayRule),
    },
    window: {
      value: '<time>',
      description: 'sampling interval (default: 1s; for 30m or longer 30s)',
    },
    margin: {
      value: '<share>',
      description: 'values closer than this are the same',
      default: '10%',
      read: quantity({ kind: 'share', from: '0.1%', to: '100%' }),
    },
  },
  (values, problems, typed): ReclaimAsked => {
    const { system, coding, originDelay, diskCache, features, delay, margin, storage, seed } =
      values;
    const limits = readLimits(values, system, problems);
    const { replay, ...traffic } = readTraffic(values, limits, seed, problems);
    const { kind } = traffic.traffic;
    const ofChromium = 'only for --system chromium';
    const ofOrigin = "only for --system origin; Chromium's cache has only --limit-bytes";
    const uses = [
      {
        options: ['skew', 'hitRate', 'population'],
        isUsed: kind === 'zipf',
        otherwise: 'only for --traffic zipf',
      },
      { options: ['speed', 'share'], isUsed: kind === 'replay', otherwise: 'only for a replay' },
      {
        options: ['rate'],
        isUsed: kind !== 'replay',
        otherwise: 'a replay has the times of the log; use --speed',
      },
      {
        options: ['hitRate'],
        isUsed: kind !== 'zipf' || values.population === undefined,
        otherwise: '--population excludes it',
      },
      { options: ['limit', 'ratio', 'policy'], isUsed: system === 'origin', otherwise: ofOrigin },
      {
        options: ['diskCache', 'storage', 'delay'],
        isUsed: system === 'chromium',
        otherwise: ofChromium,
      },
      { options: ['features'], isUsed: system !== 'origin', otherwise: 'only for Chromium' },
    ];
    requireUsed(typed, uses, problems);
    // 1 s as in the short tests of the BBC Belfrage report; 30 s in runs as long as its long test.
    const { window = traffic.timeMs < 30 * 60_000 ? '1s' : '30s' } = values;
    const isDisk = system === 'chromium';
    const disk = isDisk
      ? { backEnd: diskCache ?? null, delayMs: delay }
      : { backEnd: null, delayMs: 0 };
    const plan: ReclaimPlan = {
      system,
      ...traffic,
      coding,
      originDelayMs: originDelay,
      ...limits,
      browser: system === 'origin' ? null : { ...disk, storage: 'none' },
      windowMs: readWindow(window, '--window', problems),
      margin,
      seed,
      ...(features && { settings: features }),
    };
    if (isDisk && delay > 0 && storage === 'none')
      problems.push(`--delay ${delay} needs a slow disk; add --storage auto`);
    const backEnd = features?.diskCache ?? diskCache;
    if (diskCache && backEnd !== diskCache)
      problems.push(`--features needs --disk-cache ${backEnd}`);
    return { plan, replay, storage };
  },
  // One load from start to end cannot be divided.
  ['shard', 'plan'],
);
