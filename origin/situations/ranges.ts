import type { Answer } from '@cachescope/model/attribution/answer.ts';
import { page, text, unstorable, visit } from './page.ts';
import type { ServedFile, Situation } from './situation.ts';

const ranged = (more: Partial<ServedFile> = {}) =>
  text({ hasRanges: true, isConditional: true, ...more });
const reads = (range = '') =>
  `await ended(read('resource'${range && `, { headers: { range: 'bytes=${range}' } }`}));`;

/** Reads ranges in one document after another; the last is judged. */
function situation(
  name: string,
  answer: Answer,
  ranges: readonly string[],
  atOrigin: readonly number[],
  resource: ServedFile = ranged(),
): Situation {
  const documents = ranges.map((range, index) => [`page-${index}`, page(reads(range))] as const);
  return {
    name: `range-${name}`,
    files: { ...Object.fromEntries(documents), resource },
    steps: documents.map(([file]) => visit(file)),
    judged: 'resource',
    truth: { answer },
    atOrigin,
  };
}

/** 206 (RFC 9110 section 15.3.7), and bodies of which the cache has a part. `''`: the whole. */
export const ranges: readonly Situation[] = [
  situation('from-network', 'network', ['0-999'], [206]),
  situation('from-disk', 'disk', ['0-999', '0-999'], []),
  situation('within-range-on-disk', 'disk', ['0-1999', '500-999'], []),
  situation('of-whole-on-disk', 'disk', ['', '1000-1999'], []),
  situation('beside-range-on-disk', 'network', ['0-999', '2000-2999'], [206]),
  situation('half-on-disk', 'mixed', ['0-1999', '0-3999'], [206]),
  situation('end-on-disk', 'mixed', ['2000-3999', '0-3999'], [206]),
  situation('unstorable', 'network', ['0-999', '0-999'], [206], ranged({ headers: unstorable })),
  situation('not-supported', 'network', ['0-999'], [200], text({ headers: unstorable })),
  situation('resumed-download', 'mixed', ['', ''], [206, 206], ranged({ cutAfterBytes: 2000 })),
];
