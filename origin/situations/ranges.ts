import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { page, text, unstorable, visit } from './page.ts';
import { type ServedFile, situation, type Situation } from './situation.ts';

const withRanges = (more: Partial<ServedFile> = {}) =>
  text({ hasRanges: true, isConditional: true, ...more });
const reads = (range = '') =>
  `await ended(read('resource'${range && `, { headers: { range: 'bytes=${range}' } }`}));`;

/** Reads ranges in one document after another; the last is judged. */
function ranged(
  name: string,
  answer: Answer,
  ranges: readonly string[],
  atOrigin: readonly number[],
  resource: ServedFile = withRanges(),
): Situation {
  const documents = ranges.map((range, index) => [`page-${index}`, page(reads(range))] as const);
  const steps = documents.map(([file]) => visit(file));
  const files = { ...Object.fromEntries(documents), resource };
  return situation(`range-${name}`, steps, { truth: { answer }, atOrigin }, files);
}

/** 206 (RFC 9110 section 15.3.7), and bodies of which the cache has a part. `''`: the whole. */
export const ranges: readonly Situation[] = [
  ranged('from-network', 'network', ['0-999'], [206]),
  ranged('from-disk', 'disk', ['0-999', '0-999'], []),
  ranged('within-range-on-disk', 'disk', ['0-1999', '500-999'], []),
  ranged('of-whole-on-disk', 'disk', ['', '1000-1999'], []),
  ranged('beside-range-on-disk', 'network', ['0-999', '2000-2999'], [206]),
  ranged('half-on-disk', 'mixed', ['0-1999', '0-3999'], [206]),
  ranged('end-on-disk', 'mixed', ['2000-3999', '0-3999'], [206]),
  ranged('unstorable', 'network', ['0-999', '0-999'], [206], withRanges({ headers: unstorable })),
  ranged('not-supported', 'network', ['0-999'], [200], text({ headers: unstorable })),
  ranged('resumed-download', 'mixed', ['', ''], [206, 206], withRanges({ cutAfterBytes: 2000 })),
];
