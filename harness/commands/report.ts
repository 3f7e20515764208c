import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { usageError } from '../error.ts';
import { readOut } from '../options/option-reading.ts';
import { makeOutputDirectory, requireOwnDirectory, writeOutput } from '../results/output-file.ts';
import { writeResults } from '../results/write-results.ts';
import { readRunDirectory } from '../results/run-directory.ts';
import { showResults } from './show-results.ts';

/** `cachescope report`: derives everything again from a run's samples. */
export function reportCommand(): Command {
  return new Command('report')
    .summary('derive tables, charts and report again from a saved run of any experiment')
    .description(
      'Derives every output again from what a run measured: needs no root, takes no sample.',
    )
    .argument('<dir>', 'directory of the run')
    .option('--out <dir>', 'write to this new directory (default: the directory of the run)')
    .option('--json', 'print summary.json instead of the tables', false)
    .action(async (dir: string, flags: { json: boolean; out?: string }) => {
      const problems: string[] = [];
      const out = readOut(flags.out, problems);
      if (problems.length > 0) throw usageError(problems);
      const document = await readRunDirectory(resolve(dir));
      const path = out ?? resolve(dir);
      if (out === undefined)
        requireOwnDirectory(path, 'Name a directory for the outputs: --out DIR');
      else makeOutputDirectory(path);
      const write = async (name: string, content: string | Uint8Array) => {
        writeOutput(join(path, name), content);
        return join(path, name);
      };
      const chromium = await findChromium(undefined);
      const tools = {
        extensionDirectory: await builtExtension(),
        chromiumPath: chromium?.path ?? null,
      };
      showResults(await writeResults({ path, write }, document, tools), flags.json);
    });
}
