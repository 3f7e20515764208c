import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readClassicCsv } from '@cachescope/model/compare/classic-csv.ts';
import type { CompareSource } from '@cachescope/model/compare/side.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { readRunDirectory } from '../../results/run-directory.ts';

/** Maximum size of a table, bytes: a table of a sweep has some kilobytes. */
const mostTableBytes = 16 * 1024 ** 2;

function refused(why: string): CachescopeError {
  return new CachescopeError('CS_COMPARE_SOURCE', why, {
    hint: 'Name the directory of a run (it holds run.json), or a classic CSV.',
  });
}

function readTable(path: string): string {
  try {
    return readForeignText(path, { mostBytes: mostTableBytes });
  } catch (error) {
    throw refused(messageOf(error));
  }
}

/**
 * Reads a side of a comparison: a run directory, or a classic CSV.
 *
 * @throws CachescopeError CS_COMPARE_SOURCE, CS_RUN_INVALID; exit code 2.
 */
async function readCompareSource(path: string): Promise<CompareSource> {
  const found = await stat(path).catch(() => null);
  if (!found) throw refused(`${path} does not exist or cannot be read`);
  if (found.isDirectory()) return { run: await readRunDirectory(path) };
  const table = readClassicCsv({ name: path, text: readTable(path) });
  if ('value' in table) return { table: table.value };
  throw refused(`${path} is not a classic CSV: ${table.problems.join('; ')}`);
}

/**
 * Reads both sides of a comparison; reads a run that is compared with itself once.
 *
 * @throws the errors of `readCompareSource`; where neither can be read, one error with both reasons.
 */
export async function readCompareSources(
  against: string,
  of: string,
): Promise<[CompareSource, CompareSource]> {
  const paths = [...new Set([resolve(against), resolve(of)])];
  const read = await Promise.allSettled(paths.map(readCompareSource));
  const reasons = read.flatMap((side): unknown[] =>
    side.status === 'rejected' ? [side.reason] : [],
  );
  if (reasons.length > 1) throw refused(reasons.map(messageOf).join('\n'));
  if (reasons.length === 1) throw reasons[0];
  const [first, second = first] = read.flatMap((side) =>
    side.status === 'fulfilled' ? [side.value] : [],
  );
  return [first as CompareSource, second as CompareSource];
}
