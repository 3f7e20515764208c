import { microCacheLabels } from '@cachescope/model/micro/cache.ts';
import {
  type MicroRow,
  microRowLabels,
  type TableLine,
  tableLines,
} from '@cachescope/model/micro/row.ts';
import { type TimeTask, timedReads } from '@cachescope/model/micro/task.ts';
import { microEntryPath } from '@cachescope/origin/routes/micro.ts';
import { freshKeys, makeProfile, type MicroLab } from './lab.ts';
import { inLaunch, type LaunchPages } from './launch-pages.ts';
import { shuffle } from '../../lab/schedule.ts';

/** Keys that the runs of one slice may use; a slice's time allows no more runs. */
const keysPerSlice = 10_000_000;

const actions: Readonly<Record<MicroRow, TimeTask['action']>> = {
  overhead: 'nothing',
  clear: 'clear',
  'miss-cleared': 'clear and read',
  'miss-uncacheable': 'read',
  'miss-query': 'read',
  hit: 'read',
};

/** The page's task for a line. All rows use one key, except `miss-query`, whose runs each use a new one. */
function taskOf(lab: MicroLab, { cache, row, bytes }: TableLine, timeMs: number): TimeTask {
  const count = row === 'miss-query' ? keysPerSlice : 1;
  return timedReads({
    cache,
    action: actions[row],
    url: microEntryPath(cache, bytes, row !== 'miss-uncacheable'),
    keys: { from: freshKeys(lab, count), count, stride: 1 },
    timeMs,
    // Runs to determine the batch size would be requests that no row counts; a miss is never short enough for batches.
    mayBatch: row === 'overhead' || row === 'hit',
  });
}

/** Number of slices of the table. */
export function plannedTableSlices({ plan }: Pick<MicroLab, 'plan'>): number {
  return tableLines(plan.caches, plan.sizesBytes).length * plan.launches;
}

/** Takes the table: in each launch every line for its share of the set time, in random order, from an empty cache. */
export async function takeTable(lab: MicroLab): Promise<void> {
  const { plan, session } = lab;
  const lines = tableLines(plan.caches, plan.sizesBytes);
  const timeMs = plan.timeMs / plan.launches;
  for (let launch = 0; launch < plan.launches; launch++) {
    if (session.shouldStop()) return;
    session.progress.status(
      `Table, launch ${launch + 1} of ${plan.launches}: ${lines.length} rows`,
    );
    await using profile = await makeProfile(lab, `table-${launch}`, lab.ordinary);
    const jobOf = (line: TableLine) => (pages: LaunchPages) => takeLine(lab, pages, line, timeMs);
    await inLaunch(lab, profile, shuffle(lines, lab.random).map(jobOf));
  }
}

async function takeLine(
  lab: MicroLab,
  pages: LaunchPages,
  line: TableLine,
  timeMs: number,
): Promise<void> {
  const { cache, row, bytes } = line;
  // Blink's memory cache cannot be cleared, but the keys are new; the overhead of a call uses no cache.
  if (cache !== 'blink' && row !== 'overhead') await pages.prepare({ kind: 'clear', cache });
  const task = taskOf(lab, line, timeMs);
  // The first read of a hit stores the resource and the second confirms to the browser that it is stored; both are also
  // the warm-up.
  const warmUp = row === 'miss-query' ? taskOf(lab, line, 0) : task;
  await pages.prepare({ ...warmUp, timeMs: 60_000, mostRuns: 3 });
  const place = { part: 'table', state: 'running', storage: 'none', delayMs: 0 } as const;
  await pages.take({ ...place, ...line }, task);
  lab.session.progress.advance(`${microCacheLabels[cache]}, ${microRowLabels[row]}, ${bytes} B`);
}
