import { join } from 'node:path';
import { missingCells } from '@cachescope/model/run/cell.ts';
import { unflagged } from '@cachescope/model/run/flags.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { MicroPlan } from '@cachescope/model/micro/run.ts';
import { type MicroPart, type MicroCell, microCellKey } from '@cachescope/model/micro/slice.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { browserChoice } from '../../browser/settings.ts';
import { cellsWithoutUse } from '../../lab/cells-without-use.ts';
import { attachStorage } from '../../storage/storage.ts';
import { plannedCrossoverSlices, takeCrossovers } from './crossover.ts';
import { MicroBrowser } from './browser.ts';
import { MicroTasks } from './tasks.ts';
import type { MicroLab } from './lab.ts';
import { plannedListSlices, takeLists } from './list.ts';
import { plannedSearchSlices, takeSearches } from './search.ts';
import { plannedTableSlices, takeTable } from './table.ts';

type MicroSession = MicroLab['session'];

interface Part {
  planned(lab: Pick<MicroLab, 'plan'>): number;
  take(lab: MicroLab): Promise<void>;
}

/** The benchmarks, in the order in which they run. */
const parts: Readonly<Record<MicroPart, Part>> = {
  table: { planned: plannedTableSlices, take: takeTable },
  list: { planned: plannedListSlices, take: takeLists },
  search: { planned: plannedSearchSlices, take: takeSearches },
  crossover: { planned: plannedCrossoverSlices, take: takeCrossovers },
};

/** Minimum number of slices of a plan. */
export function plannedSlices(plan: MicroPlan): number {
  return plan.parts.reduce((sum, part) => sum + parts[part].planned({ plan }), 0);
}

/**
 * Runs the parts of the plan. Returns the cells without a slice on which all witnesses agree, as text; null: there are
 * none, or the run was stopped.
 */
export async function measureMicro(session: MicroSession): Promise<string | null> {
  const lab = await openMicroLab(session);
  for (const part of lab.plan.parts) {
    if (session.shouldStop()) return null;
    await parts[part].take(lab);
    await session.save();
  }
  return session.shouldStop() ? null : lacking(session);
}

async function openMicroLab(session: MicroSession): Promise<MicroLab> {
  const { found, privilege, resources, work } = session;
  const { plan } = found;
  const tasks = new MicroTasks();
  const origin = await startOrigin({ workloads: [], micro: tasks });
  resources.defer(() => origin.close());
  const attach = async (kind: MicroPlan['storage']) => {
    const disk = await attachStorage({ kind, delayWrites: false, privilege });
    resources.defer(() => disk.detach());
    return disk;
  };
  const ordinary = await attach('none');
  if (plan.delaysMs.length > 0) session.progress.step(`Attaching ${plan.storage} storage`);
  const slow = plan.delaysMs.length > 0 ? await attach(plan.storage) : null;
  const browser = await askBrowser(session, origin.url, tasks);
  const storage = (slow ?? ordinary).describe;
  await session.begin({ ...browser, storage }, { plan, fills: [], quiets: [] });
  const random = createRandom(plan.seed);
  return { plan, session, origin, tasks, ordinary, slow, work, random, launches: 0, freeKey: 0 };
}

/** Launches the browser once, for the environment in run.json. */
async function askBrowser({ found, work }: MicroSession, url: string, tasks: MicroTasks) {
  const { chromiumPath, headful } = found;
  const [profileDirectory, cacheDirectory] = [join(work, 'first'), join(work, 'first-cache')];
  const choice = { profileDirectory, cacheDirectory, headful };
  const { extra } = browserChoice(found.plan.settings ?? {});
  const browser = await MicroBrowser.launch({ executablePath: chromiumPath, ...choice, extra });
  try {
    const { timerStepMs } = await browser.open(url, tasks, 'disk');
    const { version, flags } = browser;
    return { chromium: { version, path: chromiumPath, flags }, timerStepMs };
  } finally {
    await browser.close();
  }
}

/** A run is complete when every cell has a slice on which all witnesses agree. */
function lacking(session: MicroSession): string | null {
  const { lines } = session;
  const flagged = lines.length - unflagged(lines).length;
  if (flagged > 0) {
    const are = flagged === 1 ? 'is' : 'are';
    session.warn(
      `${flagged} of ${lines.length} slices ${are} flagged and excluded: the witnesses disagree.`,
    );
  }
  const cells = lines.map(({ cell }) => cell);
  const unknown = missingCells(cells, unflagged(lines), microCellKey);
  return cellsWithoutUse('slice', unknown.map(cellName));
}

/** A cell as text for the user. */
function cellName({ part, cache, row, bytes, state, delayMs }: MicroCell): string {
  const when = delayMs === 0 ? state : `${state}, ${delayMs} ms`;
  return `${part}: ${row} of ${bytes} bytes through ${cache} (${when})`;
}
