import { watchMachine } from '../../harness/environment/machine-watch.ts';
import { join } from 'node:path';
import { microCaches } from '@cachescope/model/micro/cache.ts';
import { microStatistics } from '@cachescope/model/micro/statistics.ts';
import { type MicroPlan, savedMicro } from '@cachescope/model/micro/run.ts';
import { micro } from '../../harness/experiments/micro/experiment.ts';
import { createPrivilege } from '../../harness/privilege.ts';
import { RunDirectory } from '../../harness/results/run-directory.ts';
import { Progress } from '../../harness/lab/progress.ts';
import { takeRun } from '../../harness/lab/take-run.ts';
import { chromiumPath, temporaryDirectory } from './place.ts';

/** The rows of the default table, with a fifth of the time per row: overhead weighs five times as much. */
const tablePlan: MicroPlan = {
  parts: ['table'],
  caches: [...microCaches],
  sizesBytes: [50, 1024, 51_200, 524_288],
  timeMs: 2000,
  launches: 5,
  listLength: 101,
  entries: [50_000],
  backEnds: ['simple', 'blockfile', 'sql'],
  storage: 'none',
  delaysMs: [],
  crossoverMargin: 0.1,
  seed: 1,
};
const defaultTimeMs = 10_000;
const searchPlan: MicroPlan = { ...tablePlan, parts: ['search'], launches: 1, timeMs: 1000 };

async function take(plan: MicroPlan) {
  using work = temporaryDirectory();
  const browser = await chromiumPath();
  const silent = { write: () => undefined };
  const found = { plan, chromiumPath: browser, storage: 'none', headful: false } as const;
  const { document } = await takeRun(
    micro,
    { ...found, canDrop: false },
    {
      extensionDirectory: '',
      privilege: createPrivilege({ dryRun: false, say: () => undefined }),
      directory: await RunDirectory.create(join(work.path, 'run'), savedMicro),
      progress: new Progress(0, silent),
      interrupt: { requested: false },
      machine: await watchMachine('skip', { storage: 'none', browser }),
      commandLine: ['bench'],
      toolVersion: 'bench',
    },
  );
  const { run, slices } = document;
  if (run.status !== 'complete') throw new Error(run.statusReason ?? run.status);
  return { run, slices, totalMs: run.timeSpent?.totalMs ?? Number.NaN };
}

/**
 * Measures the table's overhead beyond the requested durations, the resolution of the call overhead, and the time to
 * populate 50,000 entries.
 */
export async function measureMicro(): Promise<void> {
  const table = await take(tablePlan);
  const rows = new Set(table.slices.map(({ cell }) => JSON.stringify(cell))).size;
  const besideMs = table.totalMs - rows * tablePlan.timeMs;
  const share = 1 + besideMs / (rows * defaultTimeMs);
  console.log(
    `Table: ${rows} rows, ${(besideMs / 1000).toFixed(1)} s beside the set times; at ${defaultTimeMs / 1000} s a row ${share.toFixed(3)} x the sum of the set times (goal: at most 1.15).`,
  );
  const overheads = Map.groupBy(
    table.slices.filter(({ cell }) => cell.row === 'overhead'),
    ({ cell }) => cell.cache,
  );
  for (const [cache, slices] of overheads) {
    const figure = microStatistics(slices);
    const us = (ms: number | null | undefined) => ((ms ?? Number.NaN) * 1000).toFixed(3);
    console.log(
      `Call overhead, ${cache}: ${us(figure?.medianMs)} µs [${us(figure?.lowMs)}, ${us(figure?.highMs)}], one step of the clock is ${us(figure?.resolutionMs)} µs (goal: 1 µs).`,
    );
  }
  const { run } = await take(searchPlan);
  for (const { cache, backEnd, entries, tookMs } of run.fills)
    console.log(
      `Populating a cache with ${entries} entries, ${backEnd ?? cache}: ${(tookMs / 1000).toFixed(1)} s (goal: under 60).`,
    );
}
