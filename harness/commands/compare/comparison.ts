import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readClassicCsv } from '@cachescope/model/compare/classic-csv.ts';
import { printable } from '@cachescope/model/printable.ts';
import { type CompareSide, type CompareSource, sideOf } from '@cachescope/model/compare/side.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import {
  compareSides,
  type ComparisonHead,
  differenceText,
  undeclared,
} from '@cachescope/model/compare/build.ts';
import type { ComparisonDocument } from '@cachescope/model/compare/run.ts';
import { CachescopeError, messageOf, usageError } from '../../error.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { describeEnvironment } from '../../environment/environment.ts';
import { toolVersion } from '../../version.ts';
import type { CompareOptions } from './options.ts';

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
  if (reasons.length > 1)
    throw refused(reasons.map((reason) => `\n  - ${messageOf(reason)}`).join(''));
  if (reasons.length === 1) throw reasons[0];
  const [first, second = first] = read.flatMap((side) =>
    side.status === 'fulfilled' ? [side.value] : [],
  );
  return [first as CompareSource, second as CompareSource];
}

/** What is compared, and how. */
type ComparedSides = Pick<CompareOptions, 'against' | 'of' | 'margin' | 'across' | 'names'>;

/**
 * Reads both sides and compares them once for each metric, in order; undefined is the first metric of the experiment.
 *
 * @throws CachescopeError CS_USAGE with the problems of all metrics; CS_NOTHING_COMPARED; CS_RUNS_NOT_ALIKE, exit code
 * 3.
 */
export async function readComparisons(
  options: ComparedSides,
  metrics: readonly (string | undefined)[],
  commandLine: string[],
): Promise<ComparisonDocument[]> {
  const { against, of } = options;
  const isOneRun = resolve(against.path) === resolve(of.path);
  const [first, second] = await readCompareSources(against.path, of.path);
  const head = await headOf(commandLine, second);
  const built = metrics.map((metric) => {
    const sides = [
      sideOf(printable(against.path), first, against.selection, metric),
      sideOf(printable(of.path), second, of.selection, metric),
    ];
    const [a, b] = sides;
    if (a && b && 'value' in a && 'value' in b)
      requireConditions(options.across, [a.value, b.value]);
    return !a || !b || 'problems' in a || 'problems' in b
      ? { problems: sides.flatMap((side) => ('problems' in side ? side.problems : [])) }
      : compareSides(a.value, b.value, { ...options, isOneRun }, head);
  });
  const problems = built.flatMap((each) => ('problems' in each ? each.problems : []));
  if (problems.length > 0) throw usageError([...new Set(problems)]);
  const documents = built.flatMap((each) => ('value' in each ? [each.value] : []));
  for (const document of documents) requireComparable(document, options);
  return documents;
}

/**
 * Requires that every name of `--across` is a condition of two sides. A classic table has none, and is not checked.
 *
 * @throws CachescopeError CS_USAGE.
 */
export function requireConditions(across: readonly string[], sides: readonly CompareSide[]): void {
  const known = Object.keys(Object.assign({}, ...sides.map(({ conditions }) => conditions)));
  const unknown = across.filter((condition) => !known.includes(condition));
  if (unknown.length === 0 || known.length === 0) return;
  throw usageError([
    `--across names ${unknown.join(', ')}; the conditions are ${known.join(', ')}`,
  ]);
}

/** The environment is that of this program; the browser is that of B, the subject of the comparison. */
async function headOf(commandLine: string[], of: CompareSource): Promise<ComparisonHead> {
  const unknown = { version: 'not known', path: '', flags: [] };
  const chromium = 'run' in of ? of.run.run.environment.chromium : unknown;
  return {
    tool: { name: 'cachescope', version: toolVersion },
    startedAt: new Date().toISOString(),
    commandLine,
    environment: await describeEnvironment({ chromium, storage: 'none', timerStepMs: null }),
  };
}

function requireComparable(document: ComparisonDocument, { against, of }: ComparedSides): void {
  if (document.pairs.length === 0) {
    throw new CachescopeError(
      'CS_NOTHING_COMPARED',
      `${against.path} and ${of.path} have no cell in common: ${document.run.unmatched.slice(0, 6).join('; ') || `neither has ${document.run.plan.metric.name}`}`,
      { hint: 'Compare runs of the same arms and delays, or choose groups with --group.' },
    );
  }
  const found = undeclared(document);
  if (found.length === 0) return;
  const list = found.map((difference) => `\n  - ${differenceText(difference)}`).join('');
  throw new CachescopeError(
    'CS_RUNS_NOT_ALIKE',
    `the runs differ in conditions that their results depend on:${list}`,
    {
      hint: `If that difference is what you compare, add: --across ${JSON.stringify(found.map(({ condition }) => condition).join(','))}`,
    },
  );
}
