import { resolve } from 'node:path';
import { startText, trendOf } from '@cachescope/model/compare/run-history.ts';
import type { Trend } from '@cachescope/model/compare/trend.ts';
import { Command } from 'commander';
import { conditionsOf } from '@cachescope/model/compare/conditions.ts';
import { commaSeparated } from '../../options/name-reading.ts';
import { integerFrom, type Problems } from '../../options/option-reading.ts';
import { runWith, runWithTable, tableOptions } from '../../options/table-command.ts';
import { readRunDirectory } from '../../results/run-directory.ts';
import { show } from '../../terminal.ts';
import { compare } from '../compare/command.ts';
import { askJudging, judgingTable } from '../compare/options.ts';
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

const folder = {
  value: '<dir>',
  description: 'where baselines are kept',
  default: defaultFolder,
} as const;

const name = {
  isArgument: true,
  isRequired: true,
  value: '<name>',
  description: 'name of the baseline',
  read(text: string, _flag: string, problems: Problems): string {
    problems.push(...nameProblems(text));
    return text;
  },
} as const;

const saveTable = {
  name,
  dir: { isArgument: true, isRequired: true, value: '<dir>', description: 'directory of the run' },
  across: {
    value: '<list>',
    description: 'conditions that may differ from those of the last run kept',
    read: commaSeparated,
  },
  poor: { description: 'keep it although its trust is poor: comparisons with it get no verdict' },
  folder,
} as const;

const compareTable = {
  name,
  dir: {
    isArgument: true,
    isRequired: true,
    value: '<dir>',
    description: 'directory of the run that is compared',
  },
  ...judgingTable,
  last: {
    value: '<n>',
    description: 'runs of the trend',
    default: '30',
    read: integerFrom(1, 1000),
  },
  folder,
} as const;

const compareOptions = tableOptions(compareTable, (values, problems, typed) => {
  const sides = {
    against: { path: values.name, selection: {} },
    of: { path: values.dir, selection: {} },
  };
  return { ...values, compared: askJudging(values, sides, problems, typed) };
});

/** `cachescope baseline`: keeps runs under a name, and compares new ones with them. */
export function baselineCommand(): Command {
  const command = new Command('baseline')
    .summary('keep runs under a name; compare a run with them, with the trend')
    .description('Keeps runs under a name, and compares a new run with the last of them.')
    .addHelpText('after', examples);
  const save = command
    .command('save')
    .summary('keep a run')
    .description(
      'Copies what a complete run measured, with its environment, to FOLDER/NAME. A run that was measured under other ' +
        'conditions than the last one kept is refused (exit code 3).',
    );
  runWithTable(save, saveTable, async (asked) => {
    const { across = [], poor } = asked;
    show(`${await keepRun(asked.folder, asked.name, asked.dir, across, poor)}\n`);
  });
  const list = command
    .command('list')
    .summary('list all baselines')
    .description('Lists all baselines: their runs, browser and machine.');
  runWithTable(list, { folder }, async ({ folder: path }) => {
    const all = baselineNames(path).map(async (each) => {
      return { name: each, runs: await keptRuns(path, each, Infinity) };
    });
    show(listText(path, await Promise.all(all)));
  });
  const comparison = command
    .command('compare')
    .summary('compare a run with the last one of a baseline')
    .description(
      'Compares a run with the last run kept under NAME, as compare does, and shows the trend over the last runs with its ' +
        'change points.',
    );
  runWith(comparison, compareOptions, compareWith);
  return command;
}

async function compareWith({
  name: baseline,
  dir,
  folder: path,
  last,
  compared: options,
}: ReturnType<typeof compareOptions.read>['asked']): Promise<void> {
  const saved = await keptRuns(path, baseline, last + 1);
  const compared = { path: dir, document: await readRunDirectory(resolve(dir)) };
  const kept = runsBesides(compared, saved).slice(-last);
  const against = { ...options.against, path: kept.at(-1)?.path ?? '' };
  const trend = (metric: string): Trend =>
    trendOf(
      baseline,
      [...kept, compared].map((run) => ({
        startedAt: run.document.run.startedAt,
        side: sideOfKept(run, metric),
      })),
    );
  await compare({ ...options, against }, trend);
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
