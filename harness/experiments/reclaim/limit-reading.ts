import { type ReclaimPlan, reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import { oneOf } from '../../options/name-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { type Problems, readInteger } from '../../options/option-reading.ts';

/** Default limits of the origin: those of the BBC Belfrage cache-limit report (2020). */
const originLimits = { limit: '36000', limitBytes: '4GiB', ratio: '30%', policy: 'lrw' } as const;
/** Default limit of Chromium's disk cache: room for about as many entries of 1 KB. */
const browserLimitBytes = '64MiB';
/**
 * Limit of Chromium's cache in memory, as measured: it held as much as a least recently used cache of this size
 * (Chromium 156).
 */
const memoryLimitBytes = '50MiB';

const mostEntries = 10_000_000;
const readRatio = quantity({ kind: 'share', from: '0%', to: '99%' });
const readOriginLimit = quantity({ kind: 'size', from: '1B', to: '1024GiB' });
// Chromium parses the size as a signed 32-bit integer.
const readBrowserLimit = quantity({ kind: 'size', from: '1MiB', to: '2147483647B' });

/** The unparsed limit options of the command line; undefined: not given. */
export interface LimitTexts {
  limit: string | undefined;
  limitBytes: string | undefined;
  ratio: string | undefined;
  policy: string | undefined;
}

/** The limits of the cache under load. */
export type ReclaimLimits = Pick<
  ReclaimPlan,
  'limitEntries' | 'limitBytes' | 'reclaimRatio' | 'policy'
>;

/** Reads the limit options that apply to the system: Chromium itself decides how much its cache evicts. */
export function readLimits(
  raw: LimitTexts,
  system: ReclaimPlan['system'],
  problems: Problems,
): ReclaimLimits {
  if (system !== 'origin') return readBrowserLimits(raw, system, problems);
  const { limit, limitBytes, ratio, policy } = originLimits;
  const entries = raw.limit ?? limit;
  return {
    limitEntries:
      entries === 'none' ? null : readInteger('--limit', entries, 1, mostEntries, problems),
    limitBytes: readOriginLimit(raw.limitBytes ?? limitBytes, '--limit-bytes', problems),
    reclaimRatio: readRatio(raw.ratio ?? ratio, '--ratio', problems),
    policy: oneOf(reclaimPolicies)(raw.policy ?? policy, '--policy', problems),
  };
}

function readBrowserLimits(
  raw: LimitTexts,
  system: 'chromium' | 'chromium-memory',
  problems: Problems,
): ReclaimLimits {
  const own = { '--limit': raw.limit, '--ratio': raw.ratio, '--policy': raw.policy };
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined)
      problems.push(`${name} is for --system origin; Chromium's cache has only --limit-bytes`);
  }
  const limitBytes = readBrowserLimit(
    raw.limitBytes ?? (system === 'chromium' ? browserLimitBytes : memoryLimitBytes),
    '--limit-bytes',
    problems,
  );
  if (system === 'chromium-memory' && (raw.limitBytes ?? memoryLimitBytes) !== memoryLimitBytes)
    problems.push(
      `--limit-bytes is ${raw.limitBytes}; for chromium-memory it is ${memoryLimitBytes}: Chromium's cache in memory ignores --disk-cache-size`,
    );
  return { limitEntries: null, limitBytes, reclaimRatio: null, policy: null };
}
