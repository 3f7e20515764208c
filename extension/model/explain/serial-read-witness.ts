import { busyMs } from './device-read.ts';
import type { HitModel } from './hit-model.ts';
import { holds, type Interval } from '../statistics/interval.ts';
import { median } from '../statistics/quantile.ts';
import { isSameSeries, type Series, seriesAt } from '../sweep/series.ts';
import { soundTraces, type TracedRead } from './traced-read.ts';

/**
 * Witnesses of how many device reads a cached read waits for: the slope of its times, and two figures from the device reads
 * of its traced reads. All three are one where reads that overlap take no longer than one alone; a device that serves them
 * only partly at a time is busy for longer than its chain of reads tells.
 */
export interface SerialReadWitnesses {
  series: Series;
  /** The model's, and its 95 % interval. */
  waits: number;
  waitsInterval: Interval | null;
  /** Median length of the longest chain of device reads, each issued after the one before had completed. null: unknown. */
  serialReads: number | null;
  /** Median time in which a device read was under way, in delays of the device. null: unknown. */
  busyWaits: number | null;
  /** Traced reads that these come from. */
  traced: number;
  /** waits / busyWaits - 1, or by serialReads where the former is unknown; null where both are. */
  differenceShare: number | null;
  /** Within 5 %, or the other witness lies in the slope's interval. */
  verdict: 'agree' | 'disagree' | 'unknown';
}

const agreeShare = 0.05;
/** With less delay than this the device's own time is no small part of a read, ms. */
const leastDelayMs = 1;

/** Holds the slope of each model against what was seen of the device. */
export function serialReadWitnesses(
  models: readonly HitModel[],
  traced: readonly TracedRead[],
): SerialReadWitnesses[] {
  const slow = soundTraces(traced).filter(({ cell }) => cell.storage !== 'none');
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

/** Nothing where the reads or the delay are not known, or the delay is too short. */
function busyWaitsOf({ cell, deviceReads }: TracedRead, { points }: HitModel): number[] {
  const point = points.find(({ requestedDelayMs }) => requestedDelayMs === cell.delayMs);
  if (!deviceReads || deviceReads.length === 0 || !point || point.delayMs < leastDelayMs) return [];
  return [busyMs(deviceReads) / point.delayMs];
}

function verdictOf(share: number | null, inside: boolean): SerialReadWitnesses['verdict'] {
  if (share === null) return 'unknown';
  return Math.abs(share) <= agreeShare || inside ? 'agree' : 'disagree';
}
