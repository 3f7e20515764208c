import { type Cell, cellKey, type StorageKind } from '@cachescope/model/run/sample.ts';
import { baselineArm, seriesOf } from '@cachescope/model/sweep/series.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';

/** Where a launch stands: one storage at one delay, in one variant. */
export interface Point {
  storage: StorageKind;
  delayMs: number;
  variant?: string;
}

/** The variants' names; one undefined for a plan without. */
function variantNames({ variants }: SweepPlan): (string | undefined)[] {
  return variants ? variants.map(({ name }) => name) : [undefined];
}

function pointOf(storage: StorageKind, delayMs: number, variant: string | undefined): Point {
  return { storage, delayMs, ...(variant !== undefined && { variant }) };
}

/** The controls: every variant on ordinary storage. */
export function controlsOf(plan: SweepPlan): Point[] {
  return variantNames(plan).map((variant) => pointOf('none', 0, variant));
}

/** Every delay of the slow device, in every variant. */
export function slowPointsOf(plan: SweepPlan): Point[] {
  return plan.delaysMs.flatMap((delayMs) =>
    variantNames(plan).map((variant) => pointOf(plan.storage, delayMs, variant)),
  );
}

/** The cells that a launch at a point samples: one an arm of each workload. */
export function cellsAt({ arms, workloads }: SweepPlan, point: Point): Cell[] {
  return seriesOf({ arms, workloads }).map((series) => ({ ...series, ...point }));
}

/** Every cell of a plan. */
export function cellsOf(plan: SweepPlan): Cell[] {
  return [...controlsOf(plan), ...slowPointsOf(plan)].flatMap((point) => cellsAt(plan, point));
}

/**
 * The cells that are compared, by key: at each point every arm with the baseline arm, and every variant with the first.
 */
export function pairsOf(plan: SweepPlan): [of: string, against: string][] {
  const baseArm = baselineArm(plan);
  const baseVariant = plan.variants?.[0]?.name;
  const all = cellsOf(plan);
  const known = new Set(all.map(cellKey));
  return all.flatMap((cell) => {
    const against: Cell[] = [];
    const base = baseArm === undefined ? cell : { ...cell, arm: baseArm };
    if (cell.arm !== base.arm && known.has(cellKey(base))) against.push(base);
    if (baseVariant !== undefined && cell.variant !== baseVariant)
      against.push({ ...cell, variant: baseVariant });
    return against.map((other): [string, string] => [cellKey(cell), cellKey(other)]);
  });
}

/** What a plan sets, and the variants that it compares. */
type Varied = Pick<SweepPlan, 'settings' | 'variants'>;

/** What the browser and its disk are like in each variant; one without variants. */
export function settingsOfEach(plan: Varied): Settings[] {
  return (plan.variants ?? [{ name: undefined }]).map(({ name }) =>
    settingsAt(plan, name === undefined ? {} : { variant: name }),
  );
}

/** What the browser and its disk are like at a point: the run's settings, and the variant's over them. */
export function settingsAt(plan: Varied, { variant }: Pick<Point, 'variant'>): Settings {
  const found = plan.variants?.find(({ name }) => name === variant);
  if (!found) return plan.settings ?? {};
  const { name: _, ...settings } = found;
  return { ...plan.settings, ...settings };
}

/** Number of timed reads that a plan takes; at least, under a stop rule. */
export function plannedSamples(plan: SweepPlan): number {
  return cellsOf(plan).length * plan.samplesPerCell;
}
