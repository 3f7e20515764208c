import { type Cell, cellKey, type StorageKind } from '@cachescope/model/run/sample.ts';
import {
  pairsOf as seriesPairsOf,
  questionOf,
  seriesOf,
  variantsOf,
} from '@cachescope/model/sweep/series.ts';
import type { CellPair } from '@cachescope/model/statistics/stop-rule.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';
import type { SlowDisk } from '../../storage/disk.ts';

/** Where a read is taken: one storage at one delay or with a profile, in one variant. */
export interface Point {
  storage: StorageKind;
  delayMs: number;
  /** Name of the profile that the device draws from; absent: none. */
  profile?: string | undefined;
  variant?: string | undefined;
}

/** The names of the variants; one undefined for a plan without variants. */
function variantNames(plan: SweepPlan): (string | undefined)[] {
  return variantsOf(plan).map((variant) => variant?.name);
}

function pointOf(place: Omit<Point, 'variant'>, variant: string | undefined): Point {
  return { ...place, ...(variant !== undefined && { variant }) };
}

/** The settings of the slow device: every delay, then the profile. */
function slowPlacesOf({ storage, delaysMs, profile }: SweepPlan): Omit<Point, 'variant'>[] {
  const places = delaysMs.map((delayMs) => ({ storage, delayMs }));
  return profile ? [...places, { storage, delayMs: 0, profile: profile.name }] : places;
}

/** Name of a point for people: `control`, `5 ms` or the name of the profile. */
export function pointName({ storage, delayMs, profile }: Omit<Point, 'variant'>): string {
  return storage === 'none' ? 'control' : (profile ?? `${delayMs} ms`);
}

/** The controls: every variant on ordinary storage. */
export function controlsOf(plan: SweepPlan): Point[] {
  return variantNames(plan).map((variant) => pointOf({ storage: 'none', delayMs: 0 }, variant));
}

/** Every delay and the profile of the slow device, in every variant. */
export function slowPointsOf(plan: SweepPlan): Point[] {
  return slowPlacesOf(plan).flatMap((place) =>
    variantNames(plan).map((variant) => pointOf(place, variant)),
  );
}

/** The site of one launch: a storage in one variant, at one delay or, in the crossed design, at all delays. */
export interface LaunchSite {
  storage: StorageKind;
  variant?: string;
  /** At least one. */
  points: Point[];
}

function siteOf(points: Point[]): LaunchSite[] {
  const [first] = points;
  if (!first) return [];
  const { storage, variant } = first;
  return [{ storage, ...(variant !== undefined && { variant }), points }];
}

/** The launches of a pass on ordinary storage. */
export function controlSitesOf(plan: SweepPlan): LaunchSite[] {
  return controlsOf(plan).flatMap((point) => siteOf([point]));
}

/** The launches of a pass on the slow device. */
export function slowSitesOf(plan: SweepPlan): LaunchSite[] {
  const points = slowPointsOf(plan);
  if (!plan.crossed) return points.flatMap((point) => siteOf([point]));
  return [...Map.groupBy(points, ({ variant }) => variant).values()].flatMap(siteOf);
}

/** The cells that a launch at a point samples: one per arm of each workload. */
export function cellsAt(plan: SweepPlan, point: Point): Cell[] {
  return seriesOf(plan)
    .filter(({ variant }) => variant === point.variant)
    .map((series) => ({ ...series, ...point }));
}

/** Every cell of a plan. */
export function cellsOf(plan: SweepPlan): Cell[] {
  return [...controlsOf(plan), ...slowPointsOf(plan)].flatMap((point) => cellsAt(plan, point));
}

/** The pairs of cells to compare, by key. */
export function pairsOf(plan: SweepPlan): CellPair[] {
  const pairs = seriesPairsOf(plan);
  return [{ storage: 'none' as const, delayMs: 0 }, ...slowPlacesOf(plan)].flatMap((place) =>
    pairs.map((pair) => ({
      of: cellKey({ ...pair.of, ...place }),
      against: cellKey({ ...pair.against, ...place }),
      question: questionOf(pair),
    })),
  );
}

/** The settings of a plan and the variants that it compares. */
type Varied = Pick<SweepPlan, 'settings' | 'variants' | 'recompress'>;

/** The settings of the browser and its disk in each variant; one element for a plan without variants. */
export function settingsOfEach(plan: Varied): Settings[] {
  return variantsOf(plan).map((variant) => settingsAt(plan, { variant: variant?.name }));
}

/** The settings of the browser and its disk at a point: those of the run, overridden by those of the variant. */
export function settingsAt(plan: Varied, { variant }: { variant?: string | undefined }): Settings {
  const found = variantsOf(plan).find((each) => each?.name === variant);
  if (!found) return plan.settings ?? {};
  const { name: _, ...settings } = found;
  return { ...plan.settings, ...settings };
}

/** Number of timed reads of a plan; under a stop rule, the minimum. */
export function plannedSamples(plan: SweepPlan): number {
  return cellsOf(plan).length * plan.samplesPerCell;
}

/** Sets the disk of a point to its delay, and switches its profile on or off. Does nothing on ordinary storage. */
export async function setPoint(
  disk: SlowDisk,
  { storage, delayMs, profile }: Point,
): Promise<void> {
  if (storage === 'none') return;
  await disk.setDelay(delayMs);
  await disk.setProfile?.(profile !== undefined);
}
