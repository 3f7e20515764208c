import { type ReclaimPlan, reclaimPolicies } from '@cachescope/model/reclaim-plan.ts';
import { type Problems, readInteger, readPercentage } from './option-reading.ts';
import type { RawReclaimOptions } from './reclaim-options.ts';

/** Of the origin: the document's. */
const originLimits = { limit: '36000', limitBytes: '4gb', ratio: '30%', policy: 'lrw' } as const;
/** Of Chromium: room for about as many entries of 1 KB. */
const browserLimitBytes = '64mb';
/** Of its cache in memory, as measured: it held what a least recently used cache of that size holds (Chromium 156). */
const memoryLimitBytes = '50mb';

const mostEntries = 10_000_000;
const largestLimitBytes = 1024 ** 4;
const units: Readonly<Record<string, number>> = { b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** A size with its unit, bytes; NaN, and a problem, when the text is none from `min` to `max`. */
export function readBytes(
  name: string,
  text: string,
  [min, max]: readonly [number, number],
  problems: Problems,
): number {
  const [, digits, unit = ''] = /^(\d+)(b|kb|mb|gb)$/i.exec(text) ?? [];
  const bytes = Number(digits) * (units[unit.toLowerCase()] ?? Number.NaN);
  if (bytes >= min && bytes <= max) return bytes;
  problems.push(
    `${name} is ${JSON.stringify(text)}; it must be a size from ${min} to ${max} bytes with its unit, such as 1kb, 64mb or 4gb`,
  );
  return Number.NaN;
}

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

/** What the cache under load may hold. */
export type ReclaimLimits = Pick<
  ReclaimPlan,
  'limitEntries' | 'limitBytes' | 'reclaimRatio' | 'policy'
>;

/** Reads what the system takes of it: of Chromium, how much its cache reclaims is its own affair. */
export function readLimits(
  raw: RawReclaimOptions,
  system: ReclaimPlan['system'],
  problems: Problems,
): ReclaimLimits {
  if (system !== 'origin') return readBrowserLimits(raw, system, problems);
  const { limit, limitBytes, ratio, policy } = originLimits;
  const entries = raw.limit ?? limit;
  return {
    limitEntries:
      entries === 'none' ? null : readInteger('--limit', entries, 1, mostEntries, problems),
    limitBytes: readBytes(
      '--limit-bytes',
      raw.limitBytes ?? limitBytes,
      [1, largestLimitBytes],
      problems,
    ),
    reclaimRatio: readPercentage('--ratio', raw.ratio ?? ratio, [0, 99], problems),
    policy: readOneOf('--policy', raw.policy ?? policy, reclaimPolicies, problems),
  };
}

function readBrowserLimits(
  raw: RawReclaimOptions,
  system: 'chromium' | 'chromium-memory',
  problems: Problems,
): ReclaimLimits {
  const own = { '--limit': raw.limit, '--ratio': raw.ratio, '--policy': raw.policy };
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined)
      problems.push(`${name} is for --system origin; Chromium's cache has only --limit-bytes`);
  }
  const limitBytes = readBytes(
    '--limit-bytes',
    raw.limitBytes ?? (system === 'chromium' ? browserLimitBytes : memoryLimitBytes),
    // Chromium takes the size as a signed number of 32 bits.
    [1024 ** 2, 2 ** 31 - 1],
    problems,
  );
  if (system === 'chromium-memory' && (raw.limitBytes ?? memoryLimitBytes) !== memoryLimitBytes)
    problems.push(
      `--limit-bytes is ${raw.limitBytes}; of chromium-memory it is ${memoryLimitBytes}, whatever Chromium is told: its cache in memory does not heed --disk-cache-size`,
    );
  return { limitEntries: null, limitBytes, reclaimRatio: null, policy: null };
}
