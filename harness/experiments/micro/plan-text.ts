import { isOnDisk } from '@cachescope/model/micro/cache.ts';
import { tableLines } from '@cachescope/model/micro/row.ts';
import type { MicroPlan } from '@cachescope/model/micro/run.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { clock } from '../../lab/progress.ts';
import { plannedSlices } from './measurement.ts';
import { searchLoopMs } from './search.ts';

/** Seconds of one launch and its end, and of preparing one row, on a machine with two cores. */
const launchS = 1.5;
const rowS = 0.15;
/** Seconds to store an entry when a cache is populated. */
const populateS = 0.0012;

/** Approximate duration of each part, s, for display. */
function partSeconds(plan: MicroPlan): Record<MicroPlan['parts'][number], number> {
  const { launches, caches, sizesBytes, entries, backEnds, delaysMs } = plan;
  const rows = tableLines(caches, sizesBytes).length;
  const disks = caches.includes('disk') ? backEnds.length : 0;
  const searched = disks + (caches.includes('memory') ? 1 : 0);
  const loopS = (2 * searchLoopMs(plan)) / 1000;
  const listS = sizesBytes.length * caches.filter(isOnDisk).length * 1.5 + 3 * launchS;
  return {
    table: (rows * plan.timeMs) / 1000 + launches * (launchS + rows * rowS),
    list: launches * (listS + delaysMs.length * (launchS + sizesBytes.length * 20)),
    search:
      searched *
      (Math.max(...entries) * populateS + entries.length * launches * (launchS + loopS + 0.5)),
    crossover: launches * 4 * (launchS + 4) * (1 + 3 * delaysMs.length),
  };
}

/** Approximate duration of a plan, as minutes and seconds: `12:30`. */
export function microMinutes(plan: MicroPlan): string {
  const seconds = partSeconds(plan);
  return clock(plan.parts.reduce((sum, part) => sum + seconds[part], 0));
}

/** The text of `--dry-run` for a plan. */
export function microPlanText(plan: MicroPlan): string {
  const seconds = partSeconds(plan);
  const delays = plan.delaysMs.map((delayMs) => `, ${delayMs} ms`).join('');
  return [
    ...plan.parts.map((part) => `${part.padEnd(10)}about ${clock(seconds[part])} (min:s)`),
    `Together  about ${microMinutes(plan)} (min:s)`,
    `Caches    ${plan.caches.join(', ')}`,
    `Sizes     ${plan.sizesBytes.join(', ')} bytes`,
    `Time      ${plan.timeMs / 1000} s a row, over ${plan.launches} launches`,
    `Precision ${precisionText({ launches: plan.launches, readsPerLaunch: 10 })}`,
    `Entries   ${plan.entries.join(', ')}; back ends ${plan.backEnds.join(', ')}`,
    `Storage   ordinary${delays === '' ? '' : `; ${plan.storage}${delays}`}`,
    `Slices    ${plannedSlices(plan)}`,
    `Seed      ${plan.seed}`,
    '',
  ].join('\n');
}
