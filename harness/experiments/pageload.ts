import { join } from 'node:path';
import { type PageLoad, pageCellKey, soundLoads } from '@cachescope/model/pageload-load.ts';
import type { ReadPage } from '@cachescope/model/pageload-page.ts';
import type { PageloadPlan, PageloadRun } from '@cachescope/model/pageload-run.ts';
import { leftOutText } from '@cachescope/model/pageload-summary.ts';
import { createRandom } from '@cachescope/model/random.ts';
import { startPageOrigin } from '@cachescope/origin/pageload-server.ts';
import { buildSite } from '@cachescope/origin/workloads/pageload-site.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { noteMachine } from '../environment/machine-watch.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { endPartial, runHead } from '../runner/run-record.ts';
import { messageOf } from '../error.ts';
import { withFreshBrowsers } from '../runner/attempts.ts';
import { attachPlace } from '../runner/place.ts';
import { shuffle } from '../runner/schedule.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';
import { takeStates } from './pageload-cycle.ts';
import { type PageBench, type PageLab, warn } from './pageload-lab.ts';
import { PageVisit } from './pageload-visit.ts';

/** Page loads that have ended, whole or in part. */
export interface PageOutcome {
  run: PageloadRun;
  pageloads: PageLoad[];
  /** What could not be undone afterwards; null when nothing is left behind. */
  cleanUpError: unknown;
}

/** Read delays at which the page is loaded; one of 0 on ordinary storage. */
function delaysOf({ delaysMs }: PageloadPlan): readonly number[] {
  return delaysMs.length === 0 ? [0] : delaysMs;
}

/** Loads that a plan takes. */
export function plannedLoads(plan: PageloadPlan): number {
  return plan.passes * delaysOf(plan).length * plan.arms.length * plan.states.length;
}

/**
 * Loads a page from caches in each state. The loads of one profile are on disk before the next one is made, and run.json
 * always tells how far the run came.
 *
 * @throws CachescopeError when not even the preparation came to an end; after that the run ends `partial` instead.
 */
export async function runPageload(
  plan: PageloadPlan,
  read: ReadPage,
  bench: PageBench,
): Promise<PageOutcome> {
  return withCleanUp(bench.directory, async (resources) => {
    const lab = await openPageLab(plan, read, bench, resources);
    await takePasses(lab);
    return { run: lab.run, pageloads: lab.pageloads };
  });
}

async function openPageLab(
  plan: PageloadPlan,
  read: ReadPage,
  bench: PageBench,
  resources: AsyncDisposableStack,
): Promise<PageLab> {
  const startedAt = new Date();
  const { progress, privilege } = bench;
  const work = await makeWorkDirectory('pageload', privilege);
  resources.defer(work.remove);
  progress.step(`Making and encoding ${read.page.resources.length} bodies`);
  const site = await buildSite(read, plan.arms.includes('dictionary'));
  const origin = await startPageOrigin(site, plan.serverDelayMs);
  resources.defer(() => origin.close());
  if (plan.storage !== 'none') progress.step(`Attaching ${plan.storage} storage`);
  const options = { ...bench, delayWrites: false, temporaryDirectory: join(work.path, 't') };
  const place = await attachPlace(options, plan.storage, join(work.path, 'place'), resources);
  const visited = { origin, site };
  const first = await withFreshBrowsers(progress.step.bind(progress), async () =>
    PageVisit.begin(visited, place.launch, 0),
  );
  await first.end();
  const { version, flags } = first.launched;
  const chromium = { version, path: bench.chromiumPath, flags };
  const run: PageloadRun = {
    ...runHead('pageload', bench, startedAt),
    plan,
    page: site.page,
    notes: site.notes,
    stored: [],
    environment: await describeEnvironment({
      chromium,
      storage: place.disk.describe,
      timerStepMs: first.timerStepMs,
    }),
  };
  await bench.directory.writeRun(run);
  const random = createRandom(plan.seed);
  return { plan, bench, place, origin, site, run, random, pageloads: [], launches: 0 };
}

async function takePasses(lab: PageLab): Promise<void> {
  const { run, bench, plan } = lab;
  const startedAt = Date.now();
  try {
    for (let pass = 0; pass < plan.passes; pass++) await takePass(lab, pass);
    if (bench.interrupt.requested) endPartial(run, 'interrupted');
    else judgeRun(lab);
  } catch (error) {
    endPartial(run, messageOf(error));
  }
  await noteMachine(run, bench.machine);
  run.endedAt = new Date().toISOString();
  const measuringMs = lab.pageloads.reduce((sum, { loadMs }) => sum + (loadMs ?? 0), 0);
  run.timeSpent = { totalMs: Date.now() - startedAt, measuringMs };
  await bench.directory.writeRun(run);
}

/** Every delay and arm once, in random order, each with a fresh profile. */
async function takePass(lab: PageLab, pass: number): Promise<void> {
  const { plan, bench } = lab;
  for (const delayMs of shuffle(delaysOf(plan), lab.random)) {
    for (const arm of shuffle(plan.arms, lab.random)) {
      if (bench.interrupt.requested) return;
      const say = (line: string) => bench.progress.step(line);
      const loads = await withFreshBrowsers(say, () => takeStates(lab, pass, delayMs, arm));
      for (const load of loads) {
        const numbered = { ...load, sequence: lab.pageloads.length };
        await bench.directory.append(numbered);
        lab.pageloads.push(numbered);
      }
    }
    await bench.directory.writeRun(lab.run);
  }
}

/** A run is complete when every cell has a load on which all witnesses agree. */
function judgeRun(lab: PageLab): void {
  const { run, pageloads } = lab;
  const sound = soundLoads(pageloads);
  const flagged = pageloads.length - sound.length;
  if (flagged > 0)
    warn(lab, `${flagged} of ${pageloads.length} loads are left out: ${leftOutText(pageloads)}.`);
  const known = new Set(sound.map(({ cell }) => pageCellKey(cell)));
  const unknown = pageloads.map(({ cell }) => cell).filter((cell) => !known.has(pageCellKey(cell)));
  if (unknown.length === 0) {
    run.status = 'complete';
    return;
  }
  const names = [
    ...new Set(unknown.map(({ arm, state, delayMs }) => `${arm}, ${state}, ${delayMs} ms`)),
  ];
  endPartial(run, `no usable load of ${names.join('; ')}`);
}
