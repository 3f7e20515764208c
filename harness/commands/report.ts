import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { readNewFile, readOut } from '../options/option-reading.ts';
import { readLargeRun } from '../experiments/sweep/large-sweep.ts';
import { runWith, tableOptions } from '../options/table-command.ts';
import { formatNames, formatTable, readFormat } from '../results/formats/formats.ts';
import { makeOutputDirectory, requireOwnDirectory, writeOutput } from '../results/output-file.ts';
import { removeUnfinished, writtenWhole } from '../results/unfinished-output.ts';
import { writeResults } from '../results/write-results.ts';
import { areLarge, readRunDirectory } from '../results/run-directory.ts';
import { type WrittenTrace, writeTrace } from '../results/trace-file.ts';
import { say } from '../terminal.ts';
import { counted } from '@cachescope/model/quantity.ts';
import { showFormat } from './show-format.ts';
import { showResults } from './show-results.ts';

const examples = `
Examples:
  npm run report -- results/DIR
  npm run report -- results/DIR --out results/again   in another place
  npm run report -- results/DIR --format markdown
  npm run report -- results/DIR --perfetto reads.json.gz`;

const table = {
  dir: { isArgument: true, isRequired: true, value: '<dir>', description: 'directory of the run' },
  out: {
    value: '<dir>',
    description: 'write to this new directory (default: the directory of the run)',
    read: readOut,
  },
  json: { description: 'print summary.json instead of the tables' },
  verbose: { description: 'print the whole text instead of one screen' },
  ...formatTable(`print in this form, write nothing: ${formatNames}`),
  perfetto: {
    value: '<file>',
    description: 'write only the traced reads, as one trace, to a new .json or .json.gz',
    read: readNewFile,
  },
} as const;

const options = tableOptions(table, (values, problems, typed) => {
  const { dir, out, json, verbose, perfetto: trace } = values;
  const format = readFormat(values, problems);
  if ('perfetto' in typed && (json || 'format' in typed || 'out' in typed))
    problems.push('--perfetto writes only the trace: remove --format, --json and --out');
  if ('format' in typed && (json || 'out' in typed))
    problems.push('--format prints one form and writes nothing: remove --json and --out');
  return { dir, out, json, verbose, trace, format };
});

function sayTrace(path: string, { reads, events, warnings }: WrittenTrace): void {
  for (const warning of warnings) say(`Warning: ${warning}`);
  say(`Trace: ${path} (${counted(reads, 'read')}, ${counted(events, 'event')})`);
  say("Open it at ui.perfetto.dev or in the Performance panel of Chromium's DevTools.");
}

/** `cachescope report`: derives all outputs again from a run's samples. */
export function reportCommand(): Command {
  const command = new Command('report')
    .summary('derive tables, charts and report of a saved run again')
    .description('Derives all outputs of a saved run again. Needs no root and measures nothing.')
    .addHelpText('after', examples);
  return runWith(command, options, report);
}

async function report(asked: ReturnType<typeof options.read>['asked']): Promise<void> {
  await removeUnfinished();
  const { out, trace, format } = asked;
  const run = resolve(asked.dir);
  const isLarge = !format && trace === undefined && areLarge([run]);
  const document = await (isLarge ? readLargeRun : readRunDirectory)(run);
  if (format) return showFormat(format, document);
  if (trace !== undefined) return sayTrace(trace, writeTrace(trace, run, document));
  const path = out ?? run;
  const make = () => {
    if (out === undefined) requireOwnDirectory(path, 'Name a directory for the outputs: --out DIR');
    else makeOutputDirectory(path);
  };
  const write = async (name: string, content: string | Uint8Array) => {
    writeOutput(join(path, name), content);
    return join(path, name);
  };
  const chromium = await findChromium(undefined);
  const tools = {
    extensionDirectory: await builtExtension(),
    chromiumPath: chromium?.path ?? null,
  };
  const results = await writtenWhole(
    path,
    { drafts: out === undefined ? true : undefined },
    make,
    () => writeResults({ path, write }, document, tools),
  );
  showResults(results, asked);
}
