import { busyMs } from './device-read.ts';
import type { HitModel } from './hit-model.ts';
import { holds, type Interval } from '../statistics/interval.ts';
import { median } from '../statistics/quantile.ts';
import { isSameSeries, type Series, seriesAt } from '../sweep/series.ts';
import { usableTraces, type TracedRead, waitedReads } from './traced-read.ts';

/**
 * Witnesses of the number of serial device reads of a cached read: the slope of its read times, and two values from the
 * device reads of its traced reads. All three are equal when reads that overlap take no longer than a single one. A
 * device that serves overlapping reads only partly in parallel is busy for longer than its chain of reads implies.
 */
export interface SerialReadWitnesses {
  series: Series;
  /** The model's slope, and its 95 % interval. */
  waits: number;
  waitsInterval: Interval | null;
  /**
   * Median of the serial reads: length of the longest chain of device reads, each issued after the one before
   * completed. null: unknown.
   */
  serialReads: number | null;
  /**
   * Median time with at least one device read in flight that the hit waited for, in units of the device's delay. null:
   * unknown.
   */
  busyWaits: number | null;
  /** Number of traced reads behind the two values. */
  traced: number;
  /** waits / busyWaits - 1, with serialReads in place of an unknown busyWaits; null when both are unknown. */
  differenceShare: number | null;
  /** `agree`: the difference is within 5 %, or the other witness is inside the slope's interval. */
  verdict: 'agree' | 'disagree' | 'unknown';
}

const agreeShare = 0.05;
/** Below this delay, ms, the device's own service time is a significant part of a read. */
const leastDelayMs = 1;

/** Compares the slope of each model with the observed device reads. */
export function serialReadWitnesses(
  models: readonly HitModel[],
  traced: readonly TracedRead[],
): SerialReadWitnesses[] {
  const slow = usableTraces(traced).filter(({ cell }) => cell.storage !== 'none');
  return models.map((model) => {
    const { series, waits, waitsInterval } = model;
    const own = slow.filter(({ cell }) => isSameSeries(seriesAt(cell), series));
    const counts = own.map(({ serialReads }) => serialReads).filter((count) => count !== null);
    const serialReads = median(counts);
    const busyWaits = median(own.flatMap((read) => busyWaitsOf(read, model)));
    const witness = busyWaits ?? serialReads;
    const known = witness !== null && witness > 0;
    const differenceShare = known ? waits / witness - 1 : null;
    return {
      series,
      waits,
      waitsInterval,
      serialReads,
      busyWaits,
      traced: counts.length,
      differenceShare,
      verdict: verdictOf(
        differenceShare,
        known && waitsInterval ? holds(waitsInterval, witness) : false,
      ),
    };
  });
}

/** Empty when the reads or the delay are unknown, or when the delay is too short. */
function busyWaitsOf({ cell, deviceReads, spans }: TracedRead, { points }: HitModel): number[] {
  const point = points.find(({ requestedDelayMs }) => requestedDelayMs === cell.delayMs);
  const waited = waitedReads(deviceReads ?? [], spans);
  if (waited.length === 0 || !point || point.delayMs < leastDelayMs) return [];
  // The hit waits for a read that was already in flight only from its own start.
  const during = waited.map(({ startMs, endMs }) => ({ startMs: Math.max(0, startMs), endMs }));
  return [busyMs(during) / point.delayMs];
}

function verdictOf(share: number | null, inside: boolean): SerialReadWitnesses['verdict'] {
  if (share === null) return 'unknown';
  return Math.abs(share) <= agreeShare || inside ? 'agree' : 'disagree';
}
