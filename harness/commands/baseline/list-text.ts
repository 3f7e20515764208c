import { conditionsOf } from '@cachescope/model/compare/conditions.ts';
import { startText } from '@cachescope/model/compare/run-history.ts';
import { plainTable } from '../../results/plain-table.ts';
import type { KeptRun } from './kept-runs.ts';

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
