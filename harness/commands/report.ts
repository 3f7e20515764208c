import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { usageError } from '../error.ts';
import { readNewFile, readOut } from '../options/option-reading.ts';
import { readLargeRun } from '../experiments/sweep/large-sweep.ts';
import { unknownWords } from '../options/unknown-words.ts';
import { formatNames, type RawFormatOptions, readFormat } from '../results/formats/formats.ts';
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

interface ReportFlags extends RawFormatOptions {
  json: boolean;
  verbose: boolean;
  out?: string;
  perfetto?: string;
}

function sayTrace(path: string, { reads, events, warnings }: WrittenTrace): void {
  for (const warning of warnings) say(`Warning: ${warning}`);
  say(`Trace: ${path} (${counted(reads, 'read')}, ${counted(events, 'event')})`);
  say("Open it at ui.perfetto.dev or in the Performance panel of Chromium's DevTools.");
}

/** `cachescope report`: derives all outputs again from a run's samples. */
export function reportCommand(): Command {
  return new Command('report')
    .summary('derive tables, charts and report of a saved run again')
    .description('Derives all outputs of a saved run again. Needs no root and measures nothing.')
    .argument('[dir]', 'directory of the run')
    .option('--out <dir>', 'write to this new directory (default: the directory of the run)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--verbose', 'print the whole text instead of one screen', false)
    .option('--format <name>', `print in this form, write nothing: ${formatNames}`)
    .option(
      '--perfetto <file>',
      'write only the traced reads, as one trace, to a new .json or .json.gz',
    )
    .option('--bot <name>', 'with --format: name of the machine')
    .option('--git-hash <hash>', 'with --format: commit of the browser that was measured')
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (dir: string | undefined, flags: ReportFlags, command: Command) => {
      const problems = unknownWords(command);
      await removeUnfinished();
      if (!dir) problems.push('no run is named: name the directory of one');
      const out = readOut(flags.out, problems);
      const asked = readFormat(flags, problems);
      const trace = readNewFile(flags.perfetto, '--perfetto', problems);
      if (
        trace !== undefined &&
        (flags.format ?? flags.out ?? (flags.json || undefined)) !== undefined
      )
        problems.push('--perfetto writes only the trace: remove --format, --json and --out');
      if (flags.format !== undefined && (flags.json || flags.out !== undefined))
        problems.push('--format prints one form and writes nothing: remove --json and --out');
      if (!dir || problems.length > 0) throw usageError(problems);
      const isLarge = !asked && trace === undefined && areLarge([resolve(dir)]);
      const document = await (isLarge ? readLargeRun : readRunDirectory)(resolve(dir));
      if (asked) return showFormat(asked, document);
      if (trace !== undefined) return sayTrace(trace, writeTrace(trace, resolve(dir), document));
      const path = out ?? resolve(dir);
      const make = () => {
        if (out === undefined)
          requireOwnDirectory(path, 'Name a directory for the outputs: --out DIR');
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
      showResults(results, flags);
    });
}
