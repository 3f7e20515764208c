import type { LeftEvidence } from '@cachescope/model/features/evidence.ts';
import { histogramsNeeded } from '@cachescope/model/features/effect.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import type { StoringBody, StoringPlan } from '@cachescope/model/storing/run.ts';
import { startOrigin } from '@cachescope/origin/server.ts';
import { randomWorkload } from '@cachescope/origin/workloads/random.ts';
import { syntheticWorkload } from '@cachescope/origin/workloads/synthetic.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import { shuffle } from '../../lab/schedule.ts';
import { MicroTasks } from '../micro/tasks.ts';
import type { StoringLab } from './browser.ts';
import type { Cell, Reading } from './cell.ts';
import { takeEntries } from './entries.ts';
import { limitedCell, takeCells, takeLimited } from './loads.ts';
import { takeReplay } from './replay.ts';

/** What a run gives its passes; a session does, whatever its experiment. */
interface PassesHost {
  attempt(title: string, work: () => Promise<void>): Promise<void>;
  warn(sentence: string): void;
  shouldStop(): boolean;
}

/**
 * Number of steps: each pass has one with all browsers, one of each browser with the limited cache, one of each with many
 * entries and the replayed traffic where the plan has them.
 */
export function plannedSteps({ variants, replay, entries, launches }: StoringPlan): number {
  const each = entries === undefined ? 1 : 2;
  return (1 + each * variants.length + (replay ? 1 : 0)) * launches;
}

/** Opens what all passes share, with an origin of the plan's responses. */
export async function openLab(
  host: Pick<StoringLab, 'work' | 'watched'> & { resources: AsyncDisposableStack },
  { chromiumPath: executablePath, headful }: { chromiumPath: string; headful: boolean },
  plan: StoringPlan,
): Promise<StoringLab> {
  const { work, resources } = host;
  const cells = cellsOf(plan);
  const tasks = new MicroTasks();
  const workloads = [...new Set(cells.map(({ workload }) => workload))];
  const origin = await startOrigin({ workloads, micro: tasks });
  resources.defer(() => origin.close());
  const histograms = histogramsNeeded(plan.variants);
  const evidence = new Map<string, LeftEvidence>();
  const watched: StoringLab['watched'] = (reading) => host.watched(reading);
  return { origin, tasks, cells, executablePath, headful, work, watched, histograms, evidence };
}

/** The cells of a plan: every response in every coding. */
function cellsOf({ sizesBytes, bodies, codings }: StoringPlan): Cell[] {
  return sizesBytes.flatMap((bytes) =>
    bodies.flatMap((body) => {
      const workload = workloadOf(body, bytes);
      return codings.map((coding) => ({ workload, body, bytes, coding }));
    }),
  );
}

function workloadOf(body: StoringBody, bytes: number) {
  return body === 'text' ? syntheticWorkload(`synthetic:${bytes}B`, bytes) : randomWorkload(bytes);
}

/** Takes the passes of a plan from one on. `seen` is called when all browsers have shown their evidence of effect. */
export async function takePasses(
  lab: StoringLab,
  plan: StoringPlan,
  {
    host,
    keep,
    seen = () => undefined,
    from = 0,
  }: {
    host: PassesHost;
    keep: (reading: Reading & { pass: number }) => Promise<void>;
    seen?: () => void;
    from?: number;
  },
): Promise<void> {
  const { cells } = lab;
  const { variants, replay, entries } = plan;
  const random = createRandom(plan.seed + from);
  let steps = 0;
  for (let pass = from; pass < plan.launches && !host.shouldStop(); pass++) {
    const step = (title: string, take: (name: string) => Promise<Reading[]>) => {
      const number = steps++;
      return host.attempt(`${title}, pass ${pass + 1}`, async () => {
        const readings = await withFreshBrowsers(
          (sentence) => host.warn(sentence),
          (attempt) => take(`${number}-${attempt}`),
        );
        for (const reading of readings) await keep({ pass, ...reading });
      });
    };
    await step('Loads and hits', (name) =>
      takeCells(lab, { name, plan, cells: shuffle(cells, random), random }),
    );
    seen();
    for (const variant of shuffle(variants, random)) {
      await step(`Limited cache of ${variant.name}`, (name) =>
        takeLimited(lab, { name, plan, cells, variant }),
      );
      if (entries !== undefined)
        await step(`Many entries of ${variant.name}`, (name) =>
          takeEntries(lab, { name, variant, entries }),
        );
    }
    const cell = limitedCell(plan, cells);
    if (replay && cell)
      await step('Replayed traffic', (name) =>
        takeReplay(lab, { name, variants, cell, replay, seed: plan.seed + pass }),
      );
  }
}
