import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import { resolve } from 'node:path';
import { compareSides, differenceText, undeclared } from '@cachescope/model/compare/build.ts';
import type { ComparisonHead } from '@cachescope/model/compare/build.ts';
import { type ComparisonDocument, savedComparison } from '@cachescope/model/compare/run.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { type CompareSource, sideOf } from '@cachescope/model/compare/side.ts';
import { Command } from 'commander';
import { builtExtension } from '../../browser/extension-build.ts';
import { describeEnvironment } from '../../environment/environment.ts';
import { CachescopeError, usageError } from '../../error.ts';
import { comparisonText } from './text.ts';
import { RunDirectory } from '../../results/run-directory.ts';
import { toolVersion } from '../../version.ts';
import { type CompareOptions, type RawCompareOptions, readCompareOptions } from './options.ts';
import { readCompareSource } from './source.ts';
import { showResults } from '../show-results.ts';
import { writeComparisonResults } from './outputs.ts';

const examples = `
Examples:
  npm run compare -- results/A results/B              two runs, cell by cell; A is the baseline
  npm run compare -- results/A results/B --across chromium --names stock,patched
  npm run compare -- results/A --group arm=br --group arm=dcb
  npm run compare -- results/A --group variant=disk-cache=simple,arm=br --group variant=disk-cache=sql,arm=br
  npm run compare -- old.csv new.csv                  two tables of the classic form
  npm run compare -- results/A results/B --out results/A-B   compare.json, .csv, .html too

Runs whose browser, flags, kernel, storage, machine or workload are not alike are refused (exit code 3), unless
--across names what the comparison is about: a difference would otherwise be put down to the wrong thing.`;

function another(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

/** `cachescope compare`: two runs, two tables, or two groups of one run, with a verdict on each pair. */
export function compareCommand(): Command {
  return new Command('compare')
    .summary(
      'say whether two runs, or two groups of one, differ, by how much, and how sure that is',
    )
    .description(
      'Holds B against A, group by group: the difference of the medians with its interval, and DIFFERENT, SAME (within\n' +
        'the margin) or UNKNOWN with what would settle it. Needs no root and no browser.',
    )
    .argument('<A>', 'run directory or classic CSV: the baseline')
    .argument('[B]', 'the same, held against it (default: A, with two --group)')
    .option('--group <factors>', 'what of A, then what of B: arm=dcb,delay=5', another, [])
    .option('--metric <name>', 'readMs, deviceReads, deviceReadKiB (default: the first)')
    .option('--margin <share>', 'medians closer than this are the same', '2%')
    .option('--across <list>', 'what may differ: chromium, flags, kernel, storage, machine, ...')
    .option('--names <A,B>', 'what sentences call the two')
    .option('--out <dir>', 'write compare.json, compare.csv and compare.html to a new directory')
    .option('--json', 'print compare.json instead of the table', false)
    .addHelpText('after', examples)
    .action(
      async (
        first: string,
        second: string | undefined,
        flags: Omit<RawCompareOptions, 'sources'> & { json: boolean },
      ) => {
        const sources = [first, ...(second === undefined ? [] : [second])];
        const { options, problems } = readCompareOptions({ ...flags, sources });
        if (problems.length > 0) throw usageError(problems);
        const document = await readComparison(options, ['compare', ...process.argv.slice(3)]);
        requireAlike(document);
        if (options.out === undefined) return show(document, flags.json);
        await write(document, options.out, flags.json);
      },
    );
}

async function readComparison(
  options: CompareOptions,
  commandLine: string[],
): Promise<ComparisonDocument> {
  const { against, of } = options;
  const isOneRun = resolve(against.path) === resolve(of.path);
  const first = await readCompareSource(against.path);
  const second = isOneRun ? first : await readCompareSource(of.path);
  const sides = [
    sideOf(against.path, first, against.selection, options.metric),
    sideOf(of.path, second, of.selection, options.metric),
  ];
  const problems = [...new Set(sides.flatMap((side) => ('problems' in side ? side.problems : [])))];
  const [a, b] = sides;
  if (!a || !b || 'problems' in a || 'problems' in b) throw usageError(problems);
  const head = await headOf(commandLine, second);
  const built = compareSides(a.value, b.value, { ...options, isOneRun }, head);
  if ('problems' in built) throw usageError(built.problems);
  if (built.value.pairs.length > 0) return built.value;
  throw new CachescopeError(
    'CS_NOTHING_COMPARED',
    `${against.path} and ${of.path} have no cell in common: ${built.value.run.unmatched.slice(0, 6).join('; ') || 'both are empty'}`,
    {
      hint: 'Compare runs of the same arms and delays, or choose groups with --group.',
    },
  );
}

/** The environment is that of this program; the browser is the one of B, which the comparison is about. */
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

/** @throws CachescopeError CS_RUNS_NOT_ALIKE, exit code 3 */
function requireAlike(document: ComparisonDocument): void {
  const found = undeclared(document);
  if (found.length === 0) return;
  const list = found.map((difference) => `\n  - ${differenceText(difference)}`).join('');
  throw new CachescopeError(
    'CS_RUNS_NOT_ALIKE',
    `the runs differ in what figures depend on:${list}`,
    {
      hint: `If that is what you compare, say so: --across ${JSON.stringify(found.map(({ condition }) => condition).join(','))}`,
    },
  );
}

function show(document: ComparisonDocument, asJson: boolean): void {
  const summary = summarizeComparison(document);
  const status = foldedWarnings(document.run.warnings).map((warning) => `Warning: ${warning}`);
  showResults({ summary, text: comparisonText(document.run, summary), status }, asJson);
}

async function write(document: ComparisonDocument, out: string, asJson: boolean): Promise<void> {
  const extensionDirectory = await builtExtension();
  const directory = await RunDirectory.create(out, savedComparison);
  try {
    await directory.writeRun(document.run);
    for (const pair of document.pairs) await directory.append(pair);
  } finally {
    await directory.close();
  }
  const tools = { extensionDirectory, chromiumPath: null };
  showResults(await writeComparisonResults(directory, document, tools), asJson);
}
