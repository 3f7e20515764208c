import type { Page } from '@cachescope/model/pageload/page.ts';
import type { PageloadPlan } from '@cachescope/model/pageload/run.ts';
import { byteSize, counted } from '@cachescope/model/quantity.ts';
import { delaysOf, plannedLoads } from './measurement.ts';
import { precisionText } from '../../lab/plan-precision.ts';
import { clock } from '../../lab/progress.ts';

/** Seconds of one launch and its end, of one load with its waits, and of one resource of a load. */
const [launchS, loadS, resourceS] = [1.6, 1.2, 0.005];
/** Serial device reads per resource of a cold load: five, with six resources in parallel. */
const readsAtOnce = 5 / 6;

/** Approximate duration of a plan, as minutes and seconds: `12:30`. */
export function pageloadMinutes(plan: PageloadPlan, { resources }: Page): string {
  const loads = plannedLoads(plan);
  const delays = delaysOf(plan);
  const slowS = delays.reduce((sum, ms) => sum + (ms / 1000) * resources.length * readsAtOnce, 0);
  const cycles = loads / Math.max(1, plan.states.length);
  const perLoadS = launchS + loadS + resources.length * resourceS;
  return clock(loads * perLoadS + (cycles / delays.length) * 2 * slowS);
}

/** Maximum number of resources in the tree that `--dry-run` shows. */
const mostShown = 40;

/** The text of `--dry-run`. */
export function pageloadPlanText(plan: PageloadPlan, page: Page, notes: readonly string[]): string {
  const bytes = page.resources.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const delays = plan.delaysMs.map((delayMs) => `${delayMs} ms`).join(', ');
  return [
    `Page      ${page.source}: ${counted(page.resources.length, 'resource')}, ${byteSize(bytes)}, ${page.bodies} bodies`,
    ...notes.map((note) => `          ${note}`),
    `Loads     ${plannedLoads(plan)}: ${plan.states.join(', ')}; ${plan.arms.join(', ')}; ${plan.passes} of each`,
    `Storage   ${delays === '' ? 'ordinary' : `${plan.storage}, ${delays}`}`,
    ...(plan.link ? [`Link      ${plan.link.name}`] : []),
    `Time      about ${pageloadMinutes(plan, page)} (min:s)`,
    `Precision ${precisionText({ launches: plan.passes, readsPerLaunch: 1 })}`,
    `Seed      ${plan.seed}`,
    '',
    ...treeLines(page),
    '',
  ].join('\n');
}

/** The resources of a page, each below the one that requests it; cut after `mostShown`. */
export function treeLines({ resources }: Page): string[] {
  const depths: number[] = [];
  for (const { parent } of resources) depths.push(parent === null ? 0 : (depths[parent] ?? 0) + 1);
  const lines = inTreeOrder(resources.map(({ parent }) => parent)).map((place) => {
    const resource = resources[place];
    // Deeper names would be cut off anyway.
    const name = `${'  '.repeat(Math.min(depths[place] ?? 0, 20))}${resource?.name}`;
    const size = byteSize(resource?.bodyBytes ?? null);
    return `${name.slice(0, 44).padEnd(46)}${(resource?.type ?? '').padEnd(12)}${size.padStart(9)}  ${resource?.caching}`;
  });
  const more = lines.length - mostShown;
  return more > 0 ? [...lines.slice(0, mostShown), `... and ${more} more`] : lines;
}

/**
 * The places in tree order, each child after its parent. It does not recurse, because a page may be nested to any
 * depth.
 */
function inTreeOrder(parents: readonly (number | null)[]): number[] {
  const children = Map.groupBy(parents.keys(), (place) => parents[place] ?? null);
  const order: number[] = [];
  const left = (children.get(null) ?? []).toReversed();
  for (let place = left.pop(); place !== undefined; place = left.pop()) {
    order.push(place);
    for (const child of (children.get(place) ?? []).toReversed()) left.push(child);
  }
  return order;
}
