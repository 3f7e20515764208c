import { join } from 'node:path';
import { missingCells } from '@cachescope/model/run/cell.ts';
import { cellsWithoutUse } from '../../lab/cells-without-use.ts';
import { pageCellKey, usableLoads } from '@cachescope/model/pageload/load.ts';
import { wasSuspended } from '@cachescope/model/run/sample.ts';
import type { PageloadPlan } from '@cachescope/model/pageload/run.ts';
import { leftOutText } from '@cachescope/model/pageload/summary.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { startPageOrigin } from '@cachescope/origin/pageload-server.ts';
import { buildSite } from '@cachescope/origin/workloads/pageload-site.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import { attachPlace } from '../../lab/place.ts';
import { shuffle } from '../../lab/schedule.ts';
import { takeStates } from './cycle.ts';
import type { PageLab } from './lab.ts';
import { PageVisit } from './visit.ts';

/** Read delays at which the page is loaded; only 0 for a plan on ordinary storage. */
export function delaysOf({ delaysMs }: PageloadPlan): readonly number[] {
  return delaysMs.length === 0 ? [0] : delaysMs;
}

/** Number of loads of a plan. */
export function plannedLoads(plan: PageloadPlan): number {
  return plan.passes * delaysOf(plan).length * plan.arms.length * plan.states.length;
}

/**
 * Loads a page from caches in each state. The loads of one profile are written to the disk before the next profile is
 * made. Returns the cells without a load on which all witnesses agree, as text; null: there are none, or the run was
 * stopped.
 */
export async function measurePageloads(session: PageLab['session']): Promise<string | null> {
  const lab = await openPageLab(session);
  for (let pass = 0; pass < lab.plan.passes; pass++) await takePass(lab, pass);
  return session.shouldStop() ? null : lacking(session);
}

async function openPageLab(session: PageLab['session']): Promise<PageLab> {
  const { found, privilege, extensionDirectory, progress, resources, work } = session;
  const { plan, read, headful, chromiumPath } = found;
  for (const note of read.notes) progress.step(note);
  progress.step(`Making and encoding ${read.page.resources.length} bodies`);
  const site = await buildSite(read, plan.arms.includes('dictionary'));
  const origin = await startPageOrigin(site, plan.serverDelayMs);
  resources.defer(() => origin.close());
  await session.link.serve(origin.server.server);
  if (plan.storage !== 'none') progress.step(`Attaching ${plan.storage} storage`);
  const link = session.link.end;
  const browser = {
    chromiumPath,
    extensionDirectory,
    headful,
    privilege,
    link,
    delayWrites: false,
  };
  const options = { ...browser, temporaryDirectory: join(work, 't') };
  const place = await attachPlace(
    options,
    plan.storage,
    join(work, 'place'),
    resources,
    plan.settings,
  );
  const visited = { origin, site };
  const say = (line: string) => progress.step(line);
  const first = await withFreshBrowsers(say, () => PageVisit.begin(visited, place.launch, 0));
  await first.end();
  const { version, flags } = first.launched;
  const chromium = { version, path: chromiumPath, flags };
  const { timerStepMs } = first;
  const storage = place.disk.describe;
  const { page, notes } = site;
  await session.begin({ chromium, storage, timerStepMs }, { plan, page, notes, stored: [] });
  const random = createRandom(plan.seed);
  return { plan, session, place, origin, site, random, launches: 0 };
}

/** Takes every delay and arm once, in random order, each with a fresh profile. */
async function takePass(lab: PageLab, pass: number): Promise<void> {
  const { plan, session } = lab;
  const say = (line: string) => session.warn(line);
  for (const delayMs of shuffle(delaysOf(plan), lab.random)) {
    for (const arm of shuffle(plan.arms, lab.random)) {
      // Loads during which something stood still say nothing of the cache: they are kept, and taken again once.
      for (let attempt = 0; attempt < 2 && !session.shouldStop(); attempt++) {
        const { result: loads, flags } = await session.link.proven(() =>
          withFreshBrowsers(say, () => takeStates(lab, pass, delayMs, arm)),
        );
        for (const load of loads) {
          const sequence = session.lines.length;
          await session.keep({ ...load, sequence, flags: [...load.flags, ...flags] });
        }
        if (!loads.some(wasSuspended)) break;
      }
    }
    await session.save();
  }
}

/** A run is complete when every cell has a load on which all witnesses agree. */
function lacking(session: PageLab['session']): string | null {
  const { lines } = session;
  const sound = usableLoads(lines);
  const flagged = lines.length - sound.length;
  if (flagged > 0)
    session.warn(`${flagged} of ${lines.length} loads are excluded: ${leftOutText(lines)}.`);
  const cells = lines.map(({ cell }) => cell);
  const unknown = missingCells(cells, sound, pageCellKey);
  const names = unknown.map(({ arm, state, delayMs }) => `${arm}, ${state}, ${delayMs} ms`);
  return cellsWithoutUse('load', names);
}
