import { median } from '../statistics/quantile.ts';
import { measuredDevice, predictedP95, type ReadChain, tailOf } from './read-tail.ts';
import type { CellReads, SweepReads } from './reads.ts';
import type { ArmFit, ArmPoint, Gap, SweepPoint } from './result.ts';
import type { SweepRun } from './run.ts';
import type { Tail } from './saved-summary.ts';
import { isSameSeries, type Series, seriesAt } from './series.ts';

/** Read times of one series while the device drew its latencies from a profile. */
export interface ProfileRead extends ArmPoint {
  /** Quantiles of all its reads; `medianMs` of `ArmPoint` weighs launches alike. */
  tail: Tail;
  /**
   * p95 predicted from the constant delays of the run and the device's direct reads (read-tail.ts); null without a line
   * over at least three constant delays, or without direct reads.
   */
  predictedP95Ms: number | null;
  /** Prediction's error as a share of the measured p95; null where either is unknown. */
  errorShare: number | null;
}

/** The part of a sweep that drew its latencies from a profile. */
export interface ProfileResult {
  name: string;
  /** Direct 4 KiB reads of the device, and their number. */
  device: Tail & { reads: number };
  /** One per series, in the plan's order. */
  reads: ProfileRead[];
  /** Families of their own. */
  gaps: Gap[];
}

/** Completes the results of a profile's cells by their tails. */
export function profileResult(
  run: SweepRun,
  taken: SweepReads,
  { arms, gaps }: Pick<SweepPoint, 'arms' | 'gaps'>,
  fits: readonly ArmFit[],
): ProfileResult | null {
  const { profile, seed } = run.plan;
  if (!profile) return null;
  const timesMs = (run.profileReads ?? []).map((taken) => taken.timesMs);
  const all = timesMs.flat();
  const device = measuredDevice(timesMs, profile);
  const reads = arms.map((arm): ProfileRead => {
    const tail = tailOf(cellsOf(taken.drawn, arm).flatMap(({ readMs }) => readMs));
    const chain = chainOf(run, taken, arm, fits);
    const predictedP95Ms = chain && predictedP95(chain, device, seed);
    const errorShare =
      predictedP95Ms === null || !tail.p95Ms ? null : predictedP95Ms / tail.p95Ms - 1;
    return { ...arm, tail, predictedP95Ms, errorShare };
  });
  return { name: profile.name, device: { ...tailOf(all), reads: all.length }, reads, gaps };
}

function cellsOf(cells: ReadonlyMap<string, CellReads>, series: Series): CellReads[] {
  return [...cells.values()].filter(({ cell }) => isSameSeries(seriesAt(cell), series));
}

/** Size of the device's direct reads, bytes: their times include the transfer of these bytes. */
const directReadBytes = 4096;

function chainOf(
  { plan: { profile } }: SweepRun,
  { cells }: SweepReads,
  series: Series,
  fits: readonly ArmFit[],
): ReadChain | null {
  const fit = fits.find((each) => isSameSeries(each, series));
  const { slopeMsPerMs = null, interceptMs: baseMs = null, deviceReadBytes = null } = fit ?? {};
  if (slopeMsPerMs === null || baseMs === null) return null;
  const serialReads = Math.max(0, slopeMsPerMs);
  const rate = profile?.bandwidthBytesPerSecond;
  // Without a limit the bytes take no time, however many they are.
  const bytes = rate === undefined ? 0 : deviceReadBytes;
  if (bytes === null) return null;
  const transferMs = (1000 * Math.max(0, bytes - serialReads * directReadBytes)) / (rate ?? 1);
  const residualsMs = residualsOf(cellsOf(cells, series));
  return { baseMs, serialReads, residualsMs, transferMs };
}

/** Differences of the reads at constant delays from the median of their delay, ms. */
function residualsOf(cells: readonly CellReads[]): number[] {
  const slow = cells.filter(({ cell }) => cell.storage !== 'none');
  return slow.flatMap(({ readMs: times }) => {
    const middle = median(times) ?? Number.NaN;
    return times.map((ms) => ms - middle);
  });
}

/** The verdicts of the profile's cells, in sentences. */
export function profileSentences({ name, gaps }: ProfileResult): string[] {
  return gaps.map(({ sentence }) => `With the read latencies of ${name}: ${sentence}`);
}
