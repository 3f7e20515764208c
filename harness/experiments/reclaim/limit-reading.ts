import { type ReclaimPlan, reclaimPolicies } from '@cachescope/model/reclaim/plan.ts';
import { quantity } from '../../options/quantity-option.ts';
import { type Problems, readInteger } from '../../options/option-reading.ts';

/** Of the origin: the document's. */
const originLimits = { limit: '36000', limitBytes: '4GiB', ratio: '30%', policy: 'lrw' } as const;
/** Of Chromium: room for about as many entries of 1 KB. */
const browserLimitBytes = '64MiB';
/** Of its cache in memory, as measured: it held what a least recently used cache of that size holds (Chromium 156). */
const memoryLimitBytes = '50MiB';

const mostEntries = 10_000_000;
const readRatio = quantity({ kind: 'share', from: '0%', to: '99%' });
const readOriginLimit = quantity({ kind: 'size', from: '1B', to: '1024GiB' });
// Chromium takes the size as a signed number of 32 bits.
const readBrowserLimit = quantity({ kind: 'size', from: '1MiB', to: '2147483647B' });

/** One of the words that are known; the first of them, and a problem, when the text is none. */
export function readOneOf<Value extends string>(
  name: string,
  text: string,
  known: readonly [Value, ...Value[]],
  problems: Problems,
): Value {
  const value = known.find((each) => each === text);
  if (value !== undefined) return value;
  problems.push(`${name} is ${JSON.stringify(text)}; known are ${known.join(', ')}`);
  return known[0];
}

/** What the command line says of limits; undefined: nothing. */
export interface LimitTexts {
  limit: string | undefined;
  limitBytes: string | undefined;
  ratio: string | undefined;
  policy: string | undefined;
}

/** What the cache under load may hold. */
export type ReclaimLimits = Pick<
  ReclaimPlan,
  'limitEntries' | 'limitBytes' | 'reclaimRatio' | 'policy'
>;

/** Reads what the system takes of it: of Chromium, how much its cache reclaims is its own affair. */
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
    policy: readOneOf('--policy', raw.policy ?? policy, reclaimPolicies, problems),
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
