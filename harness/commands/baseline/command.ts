import { resolve } from 'node:path';
import { startText, trendOf } from '@cachescope/model/compare/run-history.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { Command } from 'commander';
import { conditionsOf } from '@cachescope/model/compare/conditions.ts';
import { usageError } from '../../error.ts';
import { commaSeparated } from '../../options/name-reading.ts';
import { readInteger } from '../../options/option-reading.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { show } from '../../terminal.ts';
import { compare, withJudging } from '../compare/command.ts';
import { type RawCompareOptions, readCompareOptions } from '../compare/options.ts';
import {
  baselineNames,
  defaultFolder,
  keepRun,
  type KeptRun,
  keptRuns,
  nameProblems,
  runsBesides,
  sideOfKept,
} from './kept-runs.ts';
import { plainTable } from '../../results/plain-table.ts';

const examples = `
Examples:
  npm run baseline -- save nightly results/DIR     keep a complete run
  npm run baseline -- list
  npm run baseline -- compare nightly results/DIR --gate slower:5%
  npm run baseline -- compare nightly results/DIR --out results/trend    with a report`;

interface Place {
  folder: string;
}

interface SaveFlags extends Place {
  across?: string;
  poor?: boolean;
}

/** `cachescope baseline`: keeps runs under a name, and compares new ones with them. */
export function baselineCommand(): Command {
  const command = new Command('baseline')
    .summary('keep runs under a name; compare a run with them, with the trend')
    .description('Keeps runs under a name, and compares a new run with the last of them.')
    .addHelpText('after', examples);
  inFolder(command.command('save'))
    .summary('keep a run')
    .description(
      'Copies what a complete run measured, with its environment, to FOLDER/NAME. A run that was measured under other ' +
        'conditions than the last one kept is refused (exit code 3).',
    )
    .argument('<name>', 'name of the baseline')
    .argument('<dir>', 'directory of the run')
    .option('--across <list>', 'conditions that may differ from those of the last run kept')
    .option('--poor', 'keep it although its trust is poor: comparisons with it get no verdict')
    .action(async (name: string, dir: string, { folder, across, poor = false }: SaveFlags) => {
      requireName(name);
      const conditions = across === undefined ? [] : commaSeparated(across);
      show(`${await keepRun(folder, name, dir, conditions, poor)}\n`);
    });
  inFolder(command.command('list'))
    .summary('list all baselines')
    .description('Lists all baselines: their runs, browser and machine.')
    .action(async ({ folder }: Place) => {
      const names = baselineNames(folder);
      const all = await Promise.all(
        names.map(async (name) => ({ name, runs: await keptRuns(folder, name, Infinity) })),
      );
      show(listText(folder, all));
    });
  withJudging(inFolder(command.command('compare')))
    .summary('compare a run with the last one of a baseline')
    .description(
      'Compares a run with the last run kept under NAME, as compare does, and shows the trend over the last runs with its ' +
        'change points.',
    )
    .argument('<name>', 'name of the baseline')
    .argument('<dir>', 'directory of the run that is compared')
    .option('--last <n>', 'runs of the trend', '30')
    .action(
      async (name: string, dir: string, flags: RawCompareOptions & Place & { last: string }) =>
        compareWith(name, dir, flags),
    );
  return command;
}

function inFolder(command: Command): Command {
  return command.option('--folder <dir>', 'where baselines are kept', defaultFolder);
}

function requireName(name: string): void {
  const problems = nameProblems(name);
  if (problems.length > 0) throw usageError(problems);
}

async function compareWith(
  name: string,
  dir: string,
  flags: RawCompareOptions & Place & { last: string },
): Promise<void> {
  const problems = nameProblems(name);
  const count = readInteger('--last', flags.last, 1, 1000, problems);
  const asked = readCompareOptions({ ...flags, sources: [name, dir], group: [] });
  problems.push(...asked.problems);
  if (problems.length > 0) throw usageError(problems);
  const saved = await keptRuns(flags.folder, name, count + 1);
  const compared = { path: dir, document: await readRunDirectory(resolve(dir)) };
  const kept = runsBesides(compared, saved).slice(-count);
  const against = { ...asked.options.against, path: kept.at(-1)?.path ?? '' };
  const trend = (metric: string): Trend =>
    trendOf(
      name,
      [...kept, compared].map((run) => ({
        startedAt: run.document.run.startedAt,
        side: sideOfKept(run, metric),
      })),
    );
  await compare({ ...asked.options, against }, flags, trend);
}

/** All baselines as a table: number of runs, and the last run's start, browser and machine. */
export function listText(
  folder: string,
  baselines: readonly { name: string; runs: readonly KeptRun[] }[],
): string {
  if (baselines.length === 0)
    return `No baselines in ${folder}. Keep a run: npm run baseline -- save NAME DIR\n`;
  const rows = baselines.flatMap(({ name, runs }) => {
    const last = runs.at(-1);
    if (!last) return [];
    const { run } = last.document;
    const { chromium = '', machine = '' } = conditionsOf(run);
    return [[name, String(runs.length), startText(run.startedAt), chromium, machine]];
  });
  return `${plainTable(['name', 'runs', 'last (UTC)', 'browser', 'machine'], 1, rows)}\n`;
}
