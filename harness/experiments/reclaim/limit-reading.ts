import {
  type ReclaimLimits,
  type ReclaimPlan,
  reclaimPolicies,
} from '@cachescope/model/reclaim/plan.ts';
import { oneOf } from '../../options/name-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { type Problems, readInteger } from '../../options/option-reading.ts';

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
type LimitTexts = Record<'limit' | 'limitBytes' | 'ratio' | 'policy', string | undefined>;

/** Reads the limit options that apply to the system: Chromium itself decides how much its cache evicts. */
export function readLimits(
  raw: LimitTexts,
  system: ReclaimPlan['system'],
  problems: Problems,
): ReclaimLimits {
  if (system === 'origin') {
    // The defaults are those of the BBC Belfrage cache-limit report (2020).
    const { limit = '36000', limitBytes = '4GiB', ratio = '30%', policy = 'lrw' } = raw;
    return {
      limitEntries:
        limit === 'none' ? null : readInteger('--limit', limit, 1, mostEntries, problems),
      limitBytes: readOriginLimit(limitBytes, '--limit-bytes', problems),
      reclaimRatio: readRatio(ratio, '--ratio', problems),
      policy: oneOf(reclaimPolicies)(policy, '--policy', problems),
    };
  }
  const usual = system === 'chromium' ? browserLimitBytes : memoryLimitBytes;
  const { limitBytes = usual } = raw;
  const limit = readBrowserLimit(limitBytes, '--limit-bytes', problems);
  if (system === 'chromium-memory' && limitBytes !== memoryLimitBytes)
    problems.push(
      `--limit-bytes is ${limitBytes}; for chromium-memory it is ${memoryLimitBytes}: Chromium's cache in memory ignores --disk-cache-size`,
    );
  return { limitEntries: null, limitBytes: limit, reclaimRatio: null, policy: null };
}
