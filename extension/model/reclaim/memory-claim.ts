import { byteSize, digits } from '../quantity.ts';
import type { Claim } from './hypothesis.ts';
import { passCount, type EvictionPass } from './eviction-pass.ts';
import type { HeldMemoryLine } from './run.ts';
import { systemMemory } from './usage.ts';
import type { ReclaimWindow } from './window.ts';
import { defaultConfidence, type Interval } from '../statistics/interval.ts';
import { theilSen } from '../statistics/theil-sen.ts';

/** The trend of memory once the cache is full. */
export interface MemoryTrend {
  /** Mean over the time examined, bytes. */
  meanBytes: number;
  /** Bytes a minute. */
  slope: number;
  /** 95 %; null when there are too few points. */
  slopeInterval: Interval | null;
  /** Time examined, minutes. */
  minutes: number;
  /** Number of means that the line was fitted to, and what each mean covers. */
  points: number;
  of: 'cycles' | 'stretches';
}

/** With fewer cycles than this the trend is fitted to equal intervals of time. */
const fewestCycles = 6;
const mostPoints = 200;
const stretches = 12;
const fewestReadings = 24;

/** A time and the memory then, or means of several. */
interface MemoryReading {
  atMs: number;
  bytes: number;
}

/**
 * The trend since the first eviction pass. Memory rises and falls with the cache, so the line is fitted to the means of
 * whole cycles, from one pass to the next; where passes are too few, or continuous, to the means of equal intervals.
 * Theil-Sen: a single jump does not move it. null before the limit was reached, or with too few readings.
 */
export function memoryTrend(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
): MemoryTrend | null {
  const [first, last] = [passes[0]?.atMs, passes.at(-1)?.atMs];
  if (first === undefined || last === undefined) return null;
  const readings = windows.flatMap((window) => {
    const bytes = systemMemory(window);
    return bytes === null || window.atMs < first ? [] : [{ atMs: window.atMs, bytes }];
  });
  if (readings.length < fewestReadings) return null;
  const canBeCyclic = passes.length > fewestCycles && passCount(passes) <= mostPoints;
  const ends = canBeCyclic ? passes.map(({ atMs }) => atMs) : [];
  const cycles = meansBetween(readings, ends);
  const isCyclic = cycles.length >= fewestCycles;
  const [begin, end] = [readings[0]?.atMs ?? 0, readings.at(-1)?.atMs ?? 0];
  const bounds = Array.from(
    { length: stretches + 1 },
    (_, index) => begin + ((end - begin) * index) / stretches,
  );
  const points = isCyclic ? cycles : meansBetween(readings, bounds);
  const line = theilSen(
    points.map(({ atMs, bytes }) => [atMs / 60_000, bytes] as const),
    defaultConfidence,
    true,
  );
  if (!line) return null;
  return {
    meanBytes: mean(points, 'bytes'),
    slope: line.slope,
    slopeInterval: line.slopeInterval,
    minutes: (end - begin) / 60_000,
    points: points.length,
    of: isCyclic ? 'cycles' : 'stretches',
  };
}

/** Means of the readings between consecutive bounds, and of their times. Empty intervals are left out. */
function meansBetween(
  readings: readonly MemoryReading[],
  bounds: readonly number[],
): MemoryReading[] {
  return bounds.slice(1).flatMap((end, index) => {
    const begin = bounds[index] ?? 0;
    const isLast = index === bounds.length - 2;
    const inside = readings.filter(
      ({ atMs }) => atMs >= begin && (atMs < end || (isLast && atMs === end)),
    );
    return inside.length === 0
      ? []
      : [{ atMs: mean(inside, 'atMs'), bytes: mean(inside, 'bytes') }];
  });
}

function mean(readings: readonly MemoryReading[], name: keyof MemoryReading): number {
  return readings.reduce((sum, reading) => sum + reading[name], 0) / readings.length;
}

/**
 * Memory is stable after the limit is reached: its growth over the time examined is within the margin. Growth that
 * disappears after a garbage collection leaves the claim unknown: only a longer run can show whether it ends.
 */
export function memoryClaim(
  windows: readonly ReclaimWindow[],
  passes: readonly EvictionPass[],
  margin: number,
  held: readonly HeldMemoryLine[] = [],
): Claim {
  const name = 'memory is stable once the limit is reached';
  if (passes.length === 0)
    return { name, verdict: 'unknown', evidence: 'no eviction pass was observed' };
  const trend = memoryTrend(windows, passes);
  if (!trend?.slopeInterval) {
    const evidence = `unknown: ${fewestReadings} samples of memory after the first eviction pass are needed; sample longer (--time)`;
    return { name, verdict: 'unknown', evidence };
  }
  const { low, high } = trend.slopeInterval;
  const growth = (slope: number): number => (slope * trend.minutes) / trend.meanBytes;
  const text = `${perMinute(trend.slope)} (95 % interval ${perMinute(low)} to ${perMinute(high)}) over ${digits(trend.minutes)} min at ${byteSize(Math.round(trend.meanBytes))} on average: ${percent(growth(low))} to ${percent(growth(high))} in that time; ${trend.points} ${trend.of}`;
  if (growth(high) < margin) return { name, verdict: 'supported', evidence: text };
  const verdict = growth(low) > margin ? 'refuted' : 'unknown';
  const heldBytes = heldGrowth(held);
  if (heldBytes === null) return { name, verdict, evidence: text };
  const cacheBytes = windows.at(-1)?.system.bytes ?? null;
  const evidence = `${text}; after a garbage collection ${signedSize(heldBytes)} are held after the load, including the cache's ${byteSize(cacheBytes)}`;
  // The bodies in the cache are expected to be in memory.
  if (heldBytes - (cacheBytes ?? 0) >= margin * trend.meanBytes) return { name, verdict, evidence };
  const why = 'the growth was garbage; a longer run shows where it ends';
  return { name, verdict: 'unknown', evidence: `${evidence}: ${why}` };
}

/** Growth of the memory that remains after a garbage collection, bytes; null unless both measurements are known. */
function heldGrowth(held: readonly HeldMemoryLine[]): number | null {
  const total = (when: HeldMemoryLine['when']): number | null => {
    const line = held.find((each) => each.when === when);
    return line ? line.heapBytes + line.externalBytes : null;
  };
  const [before, after] = [total('before'), total('after')];
  return before === null || after === null ? null : after - before;
}

function perMinute(slope: number): string {
  return `${signedSize(slope)}/min`;
}

function signedSize(bytes: number): string {
  return `${bytes < 0 ? '-' : '+'}${byteSize(Math.abs(Math.round(bytes)))}`;
}

function percent(share: number): string {
  return `${share > 0 ? '+' : ''}${digits(100 * share)} %`;
}
