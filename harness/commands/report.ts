import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { findChromium } from '../browser/find.ts';
import { finishText, statusLines } from '../results/finish.ts';
import { writeResults } from '../results/results.ts';
import { readRunDirectory } from '../results/run-directory.ts';

/** `cachescope report`: derives everything again from a run's samples. */
export function reportCommand(): Command {
  return new Command('report')
    .summary('derive tables, charts and report again from a saved run')
    .description("Derives every output again from a run's samples: needs no root, takes no sample.")
    .argument('<dir>', 'directory of the run')
    .option('--json', 'print summary.json instead of the tables', false)
    .action(async (dir: string, { json }: { json: boolean }) => {
      const path = resolve(dir);
      const { run, samples, brokenLines } = await readRunDirectory(path);
      const say = (line: string) => void process.stderr.write(`${line}\n`);
      if (brokenLines > 0)
        say(`Warning: ${brokenLines} lines of samples.ndjson are no samples and were left out`);
      const write = async (name: string, content: string | Uint8Array) => {
        await writeFile(join(path, name), content);
        return join(path, name);
      };
      const chromium = await findChromium(undefined);
      const tools = {
        extensionDirectory: await builtExtension(),
        chromiumPath: chromium?.path ?? null,
      };
      const results = await writeResults({ path, write }, run, samples, tools);
      process.stdout.write(
        json ? `${JSON.stringify(results.summary, null, 2)}\n` : finishText(run, results),
      );
      for (const line of statusLines(run, path, results)) say(line);
    });
}
