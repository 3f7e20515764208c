import { resolve } from 'node:path';
import { Command } from 'commander';
import { findChromium, type FoundChromium } from '../browser/find.ts';
import { chromiumVersion } from '../environment/chromium.ts';
import { CachescopeError, usageError } from '../error.ts';
import type { Experiment, Kinds } from '../experiments/experiment.ts';
import { readNewFile } from '../options/option-reading.ts';
import { addOptions, type OptionTexts, typedTexts } from '../options/option-table.ts';
import { sharedOptions } from '../options/shared-options.ts';
import { unknownWords } from '../options/unknown-words.ts';
import { writeOutput } from '../results/output-file.ts';
import { commandText } from '../privilege.ts';
import { say, show } from '../terminal.ts';
import { requireDivisible } from './division.ts';
import { engineFiles, readEngines } from './engine-files.ts';
import {
  machineOptions,
  planContent,
  type PlanFile,
  planFileIdOf,
  planIdOf,
  trustedOptions,
} from './plan-file.ts';
import { toolsFor } from './tools.ts';

/** `plan NAME`: the command that writes the plan of an experiment to a file. */
export function planOf<K extends Kinds>(experiment: Experiment<K>): Command {
  const { name, options } = experiment;
  const command = new Command(experiment.command ?? name).summary(experiment.summary);
  const own = Object.entries(options.table).filter(([option]) => !machineOptions.has(option));
  addOptions(command, { ...Object.fromEntries(own), browser: sharedOptions.browser });
  return command
    .requiredOption('--out <file>', 'write the plan to this new file')
    .option('--shards <n>', 'with --slurm or --kubernetes: number of shards (default: launches)')
    .option(
      '--slurm',
      'write a script beside the plan that submits its shards and the merge to Slurm',
    )
    .option(
      '--kubernetes [image]',
      'write a Job beside the plan for its shards (default: cachescope)',
    )
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const { out, browser, shards: count, slurm, kubernetes, ...typed } = typedTexts(command);
      const { asked, shared, problems } = options.read(typed);
      const all = [...unknownWords(command), ...problems];
      const path = readNewFile(String(out), '--out', all);
      const wanted = readEngines({ shards: count, slurm, kubernetes }, path, all);
      if (all.length > 0) throw usageError(all);
      const named = typeof browser === 'string' ? resolve(browser) : undefined;
      const tools = toolsFor({ dryRun: false, browser: named });
      const planned = await experiment.plan(asked, tools);
      requireDivisible(experiment, planned, { count: wanted.shards ?? 1 });
      const chromium = await findChromium(named);
      const file = planFile(experiment, planned, {
        options: { ...typed, seed: String(shared.seed) },
        chromium: chromium && (await versionOf(chromium)),
      });
      const most = experiment.shards?.launches(planned.plan) ?? 1;
      const text = `${JSON.stringify(file, null, 2)}\n`;
      const given: OptionTexts = { ...typed, browser: named };
      const trusted = [...trustedOptions, 'browser'].flatMap((option) => {
        const value = given[option];
        if (value === undefined) return [];
        return value === true ? [`--${option}`] : [`--${option}`, String(value)];
      });
      const shards = wanted.shards ?? most;
      const id = { planId: planIdOf(file), command: file.command };
      const made = engineFiles(wanted, { ...id, file: path, text, shards, programs: trusted });
      writeOutput(path, text);
      for (const each of made) writeOutput(each.path, each.text);
      show(experiment.planText(planned));
      say(`Plan ${id.planId}, at most ${most} shards: ${path}`);
      const words = commandText(['--plan', path, '--shard', `1/${most}`, ...trusted]);
      say(`On machine 1 of ${most}: npm run ${file.command} -- ${words}`);
      for (const each of made) say(each.next);
    });
}

/** @throws CachescopeError CS_BROWSER_MISSING, exit code 3, when it reports no version: the plan would be for any. */
async function versionOf({ path }: FoundChromium): Promise<string> {
  const version = await chromiumVersion(path);
  if (version !== null) return version;
  throw new CachescopeError('CS_BROWSER_MISSING', `${path} --version reports no version`, {
    hint: 'Make the plan where this browser starts, or where there is none: such a plan is for any version.',
  });
}

function planFile<K extends Kinds>(
  { command, name, shards }: Experiment<K>,
  planned: K['planned'],
  { options, chromium }: { options: OptionTexts; chromium: string | null },
): PlanFile {
  const file = {
    kind: 'cachescope plan' as const,
    id: '',
    plannedAt: new Date().toISOString(),
    ...planContent(command ?? name, planned.plan, shards?.beside?.(planned)),
    options: options as PlanFile['options'],
    chromium,
  };
  return { ...file, id: planFileIdOf(file) };
}
