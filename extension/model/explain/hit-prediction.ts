import { type HitModel, modelledInterval, modelledMs } from './hit-model.ts';
import type { Interval } from '../statistics/interval.ts';
import type { PlannedDisk } from '../sweep/run.ts';
import type { Series } from '../sweep/series.ts';
import type { WaitModel } from './wait-model.ts';

/** A device that was not measured. */
export type PredictedDevice = Omit<PlannedDisk, 'name'>;

/** The inputs that a prediction takes from the run. */
export interface PredictionInputs {
  /** Transfer time of a byte on the run's own device, without its delay, ms; null: not measured, treated as 0. */
  ownMsPerByte: number | null;
  /** Read-ahead of the run's device, KiB; null: unknown. */
  ownReadAheadKiB: number | null;
  waitModel: WaitModel | null;
}

/** The predicted time of a cached read on a disk. */
export interface HitPrediction {
  series: Series;
  /** Predicted read time, ms; null: unknown (`why`). */
  readMs: number | null;
  /** 95 % for the model's uncertainty; errors of the disk profile are not included. null with fewer than 3 launches of a point. */
  interval: Interval | null;
  why: string | null;
}

/**
 * Read time on another device: base + waits x its delay + the additional transfer time at its bandwidth. A different
 * read-ahead scales only the waits for the body, which the model of the waits separates from the fixed waits.
 */
export function predictHit(
  model: HitModel,
  deviceReadBytes: number | null,
  device: PredictedDevice,
  inputs: PredictionInputs,
): HitPrediction {
  const { series } = model;
  const unknown = (why: string) => ({ series, readMs: null, interval: null, why });
  if (model.verdict === 'fails') return unknown(`the model fails: ${model.why}`);
  if (deviceReadBytes === null) return unknown('the device’s bytes were not counted');
  const factor = waitFactor(model, device, inputs);
  if (typeof factor === 'string') return unknown(factor);
  const delayMs = device.delayMs * factor;
  const msPerByte = Math.max(0, 1000 / device.bandwidthBytesPerSecond - (inputs.ownMsPerByte ?? 0));
  const transferMs = deviceReadBytes * msPerByte;
  const interval = modelledInterval(model, delayMs);
  return {
    series,
    readMs: modelledMs(model, delayMs) + transferMs,
    interval: interval && {
      low: interval.low + transferMs,
      high: interval.high + transferMs,
    },
    why: null,
  };
}

/** Ratio of the waits with a different read-ahead to the waits of the run; a reason in words when it is unknown. */
function waitFactor(
  { waits }: HitModel,
  { readAheadKiB }: PredictedDevice,
  { ownReadAheadKiB, waitModel }: PredictionInputs,
): number | string {
  if (readAheadKiB === undefined || readAheadKiB === ownReadAheadKiB) return 1;
  if (ownReadAheadKiB === null || waitModel === null)
    return 'how the waits depend on read-ahead is unknown';
  const ofBody = Math.max(0, waits - waitModel.fixedWaits);
  return (waits - ofBody + (ofBody * stepKiB(ownReadAheadKiB)) / stepKiB(readAheadKiB)) / waits;
}

/**
 * Body bytes per device read, KiB: the read-ahead, and at least the 64 KiB that Chromium reads at a time
 * (net/disk_cache/simple). Without read-ahead the kernel reads page by page (page_cache_sync_ra in mm/readahead.c).
 * Counted for a body of 1 MiB with read-ahead 0, 32, 128 and 512 KiB: 263, 21, 13 and 8 device reads.
 */
function stepKiB(readAheadKiB: number): number {
  return readAheadKiB === 0 ? 4 : Math.max(64, readAheadKiB);
}
