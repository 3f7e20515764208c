import { compareSides, differenceText, undeclared } from '@cachescope/model/compare/build.ts';
import type { ComparisonHead } from '@cachescope/model/compare/build.ts';
import type { ComparisonDocument } from '@cachescope/model/compare/run.ts';
import { type CompareSource, sideOf } from '@cachescope/model/compare/side.ts';
import { resolve } from 'node:path';
import { describeEnvironment } from '../../environment/environment.ts';
import { CachescopeError, usageError } from '../../error.ts';
import { toolVersion } from '../../version.ts';
import type { CompareOptions } from './options.ts';
import { readCompareSources } from './source.ts';

/**
 * Reads both sides and compares them once for each metric, in order; undefined is the first metric of the experiment.
 *
 * @throws CachescopeError CS_USAGE with the problems of all metrics; CS_NOTHING_COMPARED; CS_RUNS_NOT_ALIKE, exit code
 * 3.
 */
export async function readComparisons(
  options: CompareOptions,
  metrics: readonly (string | undefined)[],
  commandLine: string[],
): Promise<ComparisonDocument[]> {
  const { against, of } = options;
  const isOneRun = resolve(against.path) === resolve(of.path);
  const [first, second] = await readCompareSources(against.path, of.path);
  const head = await headOf(commandLine, second);
  const built = metrics.map((metric) => {
    const sides = [
      sideOf(against.path, first, against.selection, metric),
      sideOf(of.path, second, of.selection, metric),
    ];
    const [a, b] = sides;
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

function requireComparable(document: ComparisonDocument, { against, of }: CompareOptions): void {
  if (document.pairs.length === 0) {
    throw new CachescopeError(
      'CS_NOTHING_COMPARED',
      `${against.path} and ${of.path} have no cell in common: ${document.run.unmatched.slice(0, 6).join('; ') || 'both are empty'}`,
      {
        hint: 'Compare runs of the same arms and delays, or choose groups with --group.',
      },
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
