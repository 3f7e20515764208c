import { noteMachine } from '../environment/machine-watch.ts';
import { join } from 'node:path';
import { createRandom } from '@cachescope/model/random.ts';
import type { MicroPlan, MicroRun } from '@cachescope/model/micro-run.ts';
import type { MicroPart, MicroSlice } from '@cachescope/model/micro-slice.ts';
import { byMicroCell, soundSlices } from '@cachescope/model/micro-figure.ts';
import type { Environment } from '@cachescope/model/run-base.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { endPartial, runHead } from '../runner/run-record.ts';
import { messageOf } from '../error.ts';
import { attachStorage } from '../storage/storage.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';
import { plannedCrossoverSlices, takeCrossovers } from './micro-crossover.ts';
import { MicroBrowser, type MicroPage } from './micro-browser.ts';
import { MicroDesk } from './micro-desk.ts';
import { type MicroBench, type MicroLab, warn } from './micro-lab.ts';
import { plannedListSlices, takeLists } from './micro-list.ts';
import { plannedSearchSlices, takeSearches } from './micro-search.ts';
import { plannedTableSlices, takeTable } from './micro-table.ts';

interface Part {
  planned(lab: Pick<MicroLab, 'plan'>): number;
  take(lab: MicroLab): Promise<void>;
}

/** The benchmarks, in the order in which they are taken. */
const parts: Readonly<Record<MicroPart, Part>> = {
  table: { planned: plannedTableSlices, take: takeTable },
  list: { planned: plannedListSlices, take: takeLists },
  search: { planned: plannedSearchSlices, take: takeSearches },
  crossover: { planned: plannedCrossoverSlices, take: takeCrossovers },
};

/** Slices that a plan takes, at least. */
export function plannedSlices(plan: MicroPlan): number {
  return plan.parts.reduce((sum, part) => sum + parts[part].planned({ plan }), 0);
}

/** Micro-benchmarks that have ended, whole or in part. */
export interface MicroOutcome {
  run: MicroRun;
  slices: MicroSlice[];
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/**
 * Takes the parts of the plan. Each slice is on disk before the next is taken, and run.json always tells how far the run
 * came.
 *
 * @throws CachescopeError when not even the preparation came to an end; after that the run ends `partial` instead.
 */
export async function runMicro(plan: MicroPlan, bench: MicroBench): Promise<MicroOutcome> {
  return withCleanUp(bench.directory, async (resources) => {
    const lab = await openMicroLab(plan, bench, resources);
    await takeParts(lab);
    return { run: lab.run, slices: lab.slices };
  });
}

async function openMicroLab(
  plan: MicroPlan,
  bench: MicroBench,
  resources: AsyncDisposableStack,
): Promise<MicroLab> {
  const startedAt = new Date();
  const { privilege } = bench;
  const work = await makeWorkDirectory('micro', privilege);
  resources.defer(work.remove);
  const desk = new MicroDesk();
  const origin = await startOrigin({ workloads: [], micro: desk });
  resources.defer(() => origin.close());
  const attach = async (kind: MicroPlan['storage']) => {
    const disk = await attachStorage({ kind, delayWrites: false, privilege });
    resources.defer(() => disk.detach());
    return disk;
  };
  const ordinary = await attach('none');
  if (plan.delaysMs.length > 0) bench.progress.step(`Attaching ${plan.storage} storage`);
  const slow = plan.delaysMs.length > 0 ? await attach(plan.storage) : null;
  const browser = await askBrowser(bench, work.path, (opened) =>
    opened.open(origin.url, desk, 'disk'),
  );
  const environment = await describeEnvironment({
    ...browser,
    storage: (slow ?? ordinary).describe,
  });
  return {
    plan,
    bench,
    origin,
    desk,
    ordinary,
    slow,
    work: work.path,
    run: await newRun(plan, bench, environment, startedAt),
    slices: [],
    random: createRandom(plan.seed),
    launches: 0,
    freeKey: 0,
  };
}

async function newRun(
  plan: MicroPlan,
  bench: MicroBench,
  environment: Environment,
  startedAt: Date,
): Promise<MicroRun> {
  const run: MicroRun = {
    ...runHead('micro', bench, startedAt),
    plan,
    environment,
    fills: [],
    quiets: [],
  };
  await bench.directory.writeRun(run);
  return run;
}

/** Launches the browser once, for what the run's record says of it. */
async function askBrowser(
  { chromiumPath, headful }: MicroBench,
  work: string,
  open: (browser: MicroBrowser) => Promise<MicroPage>,
): Promise<Pick<Environment, 'chromium' | 'timerStepMs'>> {
  const [profileDirectory, cacheDirectory] = [join(work, 'first'), join(work, 'first-cache')];
  const choice = { profileDirectory, cacheDirectory, headful, extra: [] };
  const browser = await MicroBrowser.launch({ executablePath: chromiumPath, ...choice });
  try {
    const { timerStepMs } = await open(browser);
    const { version, flags } = browser;
    return { chromium: { version, path: chromiumPath, flags }, timerStepMs };
  } finally {
    await browser.close();
  }
}

async function takeParts(lab: MicroLab): Promise<void> {
  const { run, bench, plan } = lab;
  const startedAt = Date.now();
  try {
    for (const part of plan.parts) {
      if (bench.interrupt.requested) break;
      await parts[part].take(lab);
      await bench.directory.writeRun(run);
    }
    if (bench.interrupt.requested) endPartial(run, 'interrupted');
    else judge(lab);
  } catch (error) {
    endPartial(run, messageOf(error));
  }
  await noteMachine(run, bench.machine);
  run.endedAt = new Date().toISOString();
  const measuringMs = lab.slices.reduce((sum, slice) => sum + slice.totalMs, 0);
  run.timeSpent = { totalMs: Date.now() - startedAt, measuringMs };
  await bench.directory.writeRun(run);
}

/** A run is complete when every cell has a slice on which all witnesses agree. */
function judge(lab: MicroLab): void {
  const cells = byMicroCell(lab.slices);
  const flagged = lab.slices.length - soundSlices(lab.slices).length;
  if (flagged > 0) {
    const are = flagged === 1 ? 'is' : 'are';
    warn(
      lab,
      `${flagged} of ${lab.slices.length} slices ${are} flagged and left out: the witnesses disagree.`,
    );
  }
  const unknown = cells.filter((slices) => soundSlices(slices).length === 0);
  if (unknown.length === 0) {
    lab.run.status = 'complete';
    return;
  }
  const names = unknown.slice(0, 5).map(([slice]) => slice && cellName(slice.cell));
  const more = unknown.length > 5 ? ` and ${unknown.length - 5} more` : '';
  endPartial(lab.run, `no usable slice of ${names.join('; ')}${more}`);
}

/** A cell for people. */
function cellName({ part, cache, row, bytes, state, delayMs }: MicroSlice['cell']): string {
  const when = delayMs === 0 ? state : `${state}, ${delayMs} ms`;
  return `${part}: ${row} of ${bytes} bytes through ${cache} (${when})`;
}
