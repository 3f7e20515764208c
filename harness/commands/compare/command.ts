import { gated } from '@cachescope/model/compare/gated.ts';
import { type ComparisonDocument, savedComparison } from '@cachescope/model/compare/run.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { Command } from 'commander';
import { builtExtension } from '../../browser/extension-build.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { RunDirectory } from '../../results/run-directory.ts';
import type { Results } from '../../results/results.ts';
import { readComparisons } from './comparison.ts';
import { gatesText, reportGates, requirePassed } from './gates.ts';
import { type CompareOptions, compareOptions } from './options.ts';
import { runWith } from '../../options/table-command.ts';
import { say } from '../../terminal.ts';
import { showFormat } from '../show-format.ts';
import { showResults } from '../show-results.ts';
import { shownComparison, writeComparisonResults } from './outputs.ts';

const examples = `
Examples:
  npm run compare -- results/A results/B              two runs, cell by cell; A is the baseline
  npm run compare -- results/A results/B --across chromium --names stock,patched
  npm run compare -- results/A --group arm=br --group arm=dcb
  npm run compare -- results/A --group variant=disk-cache=simple,arm=br --group variant=disk-cache=sql,arm=br
  npm run compare -- old.csv new.csv                  two classic CSV tables
  npm run compare -- results/A results/B --out results/A-B   compare.json, .csv, .html too
  npm run compare -- results/A results/B --gate slower:5% --gate deviceReads:+1 --junit gates.xml

Runs that differ in browser, flags, kernel, storage, machine or workload are
refused (exit code 3), unless --across names that difference: it could cause the
measured one.

A gate fails (exit code 10) only where the difference is significant and its
whole interval lies beyond the limit.`;

/** `cachescope compare`: two runs, two tables, or two groups of one run, with a verdict on each pair. */
export function compareCommand(): Command {
  const command = new Command('compare')
    .summary('compare two sweeps, or two groups of one: difference, interval and verdict')
    .description(
      'Compares B with A (the baseline), cell by cell: the difference of the medians with its interval, and DIFFERENT, ' +
        'SAME (within the margin) or UNKNOWN, with the data that would decide it. Needs no root and no browser.',
    )
    .addHelpText('after', examples);
  return runWith(command, compareOptions, (options) => compare(options));
}

/**
 * Compares, shows the findings, and judges the gates. `trendOf` adds the metric's history over the runs of a baseline.
 *
 * @throws CachescopeError of the sources, of runs that are not alike (exit code 3), and of the gates (10, 11).
 */
export async function compare(
  options: CompareOptions,
  trendOf?: (metric: string) => Trend,
): Promise<void> {
  const metrics = [
    ...new Set([options.metric, ...options.gates.map(({ metric = options.metric }) => metric)]),
  ];
  const documents = await readComparisons(options, metrics, process.argv.slice(2));
  const [document] = documents;
  if (!document) return;
  const { plan } = document.run;
  if (trendOf) document.run.trend = trendOf(plan.metric.name);
  const gates = documents.flatMap((judged, place) => {
    const named = options.gates.filter(({ metric = options.metric }) => metric === metrics[place]);
    const summary = named.length > 0 ? summarizeComparison(judged) : null;
    return summary ? named.map((gate) => gated(gate, judged, summary)) : [];
  });
  const found =
    options.out === undefined
      ? shownComparison(document)
      : await writtenOrShown(document, options.out);
  const results =
    gates.length === 0
      ? found
      : {
          ...found,
          summary: { ...found.summary, gates },
          text: `${found.text}\n${gatesText(gates)}`,
          details: `${found.details}\n${gatesText(gates)}`,
        };
  if (options.format) showFormat(options.format, document);
  else showResults(results, options);
  if (options.format && gates.length > 0) say(gatesText(gates));
  reportGates(gates, document.run, options);
  requirePassed(gates, options.gateUnknown);
}

/** On a full disk the comparison is still shown, with exit code 4; the two runs are there to compare again. */
async function writtenOrShown(document: ComparisonDocument, out: string): Promise<Results> {
  try {
    return await written(document, out);
  } catch (error) {
    // A directory that exists, or cannot be made, is the user's to change.
    if (error instanceof CachescopeError) throw error;
    say(
      `CS_SYSTEM: the comparison could not be written: ${messageOf(error)}\nMake room, remove ${out}, and compare again.`,
    );
    process.exitCode = 4;
    return shownComparison(document);
  }
}

async function written(document: ComparisonDocument, out: string): Promise<Results> {
  const extensionDirectory = await builtExtension();
  const directory = await RunDirectory.create(out, savedComparison);
  try {
    await directory.writeRun(document.run);
    for (const pair of document.pairs) await directory.append(pair);
  } finally {
    await directory.close();
  }
  const tools = { extensionDirectory, chromiumPath: null };
  return writeComparisonResults(directory, document, tools);
}
