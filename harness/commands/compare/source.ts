import { readFile, stat } from 'node:fs/promises';
import { readClassicCsv } from '@cachescope/model/compare-classic-csv.ts';
import type { CompareSource } from '@cachescope/model/compare-side.ts';
import { CachescopeError } from '../error.ts';
import { readRunDirectory } from '../results/run-directory.ts';

/** A table of a sweep has some kilobytes. */
const mostTableBytes = 16 * 1024 ** 2;

function refused(path: string, why: string): CachescopeError {
  return new CachescopeError('CS_COMPARE_SOURCE', `${path} ${why}`, {
    hint: 'Name the directory of a run (it holds run.json), or a CSV of the classic form.',
    exitCode: 2,
  });
}

/**
 * Reads what is to be compared: a run directory, or a classic CSV.
 *
 * @throws CachescopeError CS_COMPARE_SOURCE, CS_RUN_INVALID; exit code 2.
 */
export async function readCompareSource(path: string): Promise<CompareSource> {
  const found = await stat(path).catch(() => null);
  if (!found) throw refused(path, 'is not there or cannot be read');
  if (found.isDirectory()) return { run: await readRunDirectory(path) };
  if (!found.isFile()) throw refused(path, 'is neither a directory nor a file');
  if (found.size > mostTableBytes)
    throw refused(path, `has ${found.size} bytes; a classic table has at most ${mostTableBytes}`);
  const table = readClassicCsv({ name: path, text: await readFile(path, 'utf8') });
  if ('value' in table) return { table: table.value };
  throw refused(path, `is no classic table: ${table.problems.join('; ')}`);
}
