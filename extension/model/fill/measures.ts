import { knownSum } from '../extremes.ts';
import { type FillFlag, type FillTrial, usableRequests } from './trial.ts';
import { levelOf } from '../statistics/launch-level.ts';
import { median, quantile } from '../statistics/quantile.ts';

/** A quantity over the requests of a trial, ms; null: unknown. */
export type FillDistribution = ReturnType<typeof distribution>;

/** The measures of one row, under the names of the nginx tempfiles benchmark. */
export type FillMeasures = ReturnType<typeof measuresOf>;

/** Megabits per second; null for a time of 0. */
function megabits(bytes: number | null, ms: number): number | null {
  return bytes === null || ms <= 0 ? null : (bytes * 8) / 1000 / ms;
}

function distribution(values: readonly number[]) {
  const sum = values.reduce((total, value) => total + value, 0);
  return {
    mean: values.length === 0 ? null : sum / values.length,
    p50: median(values),
    p95: quantile(values, 0.95),
    max: quantile(values, 1),
  };
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

/** A quantity that systems are compared by. */
export type FillQuantity = 'byteWaitMs' | 'firstByteMs';

/** The quantity in one trial, ms: the mean wait for each byte, or for the first byte of each request. null: unknown. */
export function trialValue(trial: FillTrial, quantity: FillQuantity): number | null {
  const sound = usableRequests(trial);
  if (quantity === 'firstByteMs')
    return distribution(known(sound.map(({ firstByteMs }) => firstByteMs))).mean;
  const bytes = sound.reduce((total, request) => total + request.bytes, 0);
  const waited = sound.reduce((total, each) => total + (each.byteWaitMs ?? 0) * each.bytes, 0);
  return bytes === 0 ? null : waited / bytes;
}

/** The level of the trials, which the comparisons use too; null without a known value. */
function levelOfTrials(trials: readonly FillTrial[], quantity: FillQuantity): number | null {
  return levelOf(known(trials.map((trial) => trialValue(trial, quantity))).map((value) => [value]));
}

/** The measures of the trials of one row. Flagged requests are excluded from the client's values. */
export function measuresOf(trials: readonly FillTrial[]) {
  const sound = trials.flatMap(usableRequests);
  const all = trials.flatMap(({ requests }) => requests);
  const sum = (of: (trial: FillTrial) => number) =>
    trials.reduce((total, trial) => total + of(trial), 0);
  const originMs = sum(({ origin }) => origin.durationMs);
  const clientMs = sum((trial) => trial.clientMs);
  const bytes = sound.reduce((total, request) => total + request.bytes, 0);
  const originRequests = sum(({ origin }) => origin.requests);
  const originBytes = knownSum(trials.map(({ origin }) => origin.bytes));
  return {
    originRequests,
    /** Number of distinct files requested. */
    files: sum(({ requests }) => new Set(requests.map(({ file }) => file)).size),
    /** Payload bytes; null when they could not be counted. */
    originBytes,
    originMbps: megabits(originBytes, originMs),
    requests: sound.length,
    bytes,
    mbps: megabits(bytes, clientMs),
    /** Mean wait per byte, over all bytes of a trial: the level of the trials; null without bytes. */
    byteWaitMs: levelOfTrials(trials, 'byteWaitMs'),
    /** `mean`: the level of the trials' means. */
    firstByteMs: {
      ...distribution(known(sound.map(({ firstByteMs }) => firstByteMs))),
      mean: levelOfTrials(trials, 'firstByteMs'),
    },
    /** Mean wait per byte of each request. */
    byteWaits: distribution(known(sound.map(({ byteWaitMs }) => byteWaitMs))),
    durations: distribution(sound.map(({ durationMs }) => durationMs)),
    /**
     * Share of the requests that were answered without a request to the origin, 0 to 1; null without requests, and when one
     * is flagged: a failed request is no hit, and the origin's log does not say which reader caused a request.
     */
    hitRate: all.length === 0 || all.length > sound.length ? null : 1 - originRequests / all.length,
    flagged: countsOf(all.flatMap(({ flag }) => flag ?? [])),
  };
}

function countsOf(flags: readonly FillFlag[]): Partial<Record<FillFlag, number>> {
  const groups = Map.groupBy(flags, (flag) => flag);
  return Object.fromEntries([...groups].map(([flag, { length }]) => [flag, length]));
}

/**
 * The average byte wait if every byte arrived when the origin sends it, ms: the first of `chunks` chunks at once, each
 * further one a period later. 0 at full speed.
 */
export function idealByteWaitMs(fileMs: number, chunkHz: number): number {
  const chunks = Math.max(1, Math.round((fileMs / 1000) * chunkHz));
  return (fileMs * (chunks - 1)) / chunks / 2;
}
