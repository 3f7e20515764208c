import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { writeResults } from '../results/results.ts';
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
    .option('--json', 'print summary.json instead of the tables', false)
    .action(async (dir: string, { json }: { json: boolean }) => {
      const path = resolve(dir);
      const document = await readRunDirectory(path);
      const write = async (name: string, content: string | Uint8Array) => {
        await writeFile(join(path, name), content);
        return join(path, name);
      };
      const chromium = await findChromium(undefined);
      const tools = {
        extensionDirectory: await builtExtension(),
        chromiumPath: chromium?.path ?? null,
      };
      showResults(await writeResults({ path, write }, document, tools), json);
    });
}
