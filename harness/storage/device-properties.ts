import { CachescopeError } from '../error.ts';
import { fileSystemRecipes } from './file-system.ts';
import { maxDelayMs } from './delay.ts';
import type { RecordedOptions } from './journal/made.ts';
import type { LatencyProfile } from './latency-profile.ts';

/** How the device treats requests. */
export interface DeviceProperties {
  /** Added to each read, ms, 0 to 10000. */
  readDelayMs: number;
  /** Added to each write, discard and zeroing, ms, 0 to 10000. */
  writeDelayMs: number;
  /** Added to each flush of the device's write cache, ms, 0 to 10000. */
  flushDelayMs: number;
  /** Maximum bytes a second, for reads and for writes each; null: no limit, except that of a profile. */
  bandwidthBytesPerSecond: number | null;
  /** Share of reads that fail with EIO while bad reads are switched on, 0 to 1. */
  badReadRate: number;
  /** While it is switched on, each read also takes a latency drawn from this profile; absent: none. */
  profile?: LatencyProfile | undefined;
  /** Each request is logged, where the back end supports it; absent: not logged. */
  logsRequests?: boolean;
}

/** How a disk is created; only the read delay changes afterwards. Plain data. */
export interface DiskOptions extends RecordedOptions {
  /**
   * While it is switched on, each read takes a latency drawn from this profile in addition to the read delay; its
   * bandwidth applies unless `bandwidthBytesPerSecond` is set. Off after attaching.
   */
  profile?: LatencyProfile | undefined;
}

/** Linux's default read-ahead, KiB. */
export const defaultReadAheadKiB = 128;

const gibibyte = 1024 ** 3;

/**
 * Sparse: it takes only the space that is written. On a smaller disk Chromium refuses large entries (larger than one
 * eighth of the cache).
 */
export const defaultImageBytes = gibibyte;

/** The kernel counts read-ahead in sectors of 512 bytes; a value above 64 MiB is assumed to be a typing error. */
const longestReadAheadKiB = 65_536;

/** Bytes a second; below it one read of 128 KiB takes over 13 s, and everything looks like a hang. */
const leastBandwidth = 10_000;

/** The properties of a disk with this read delay. */
export function propertiesAt(options: DiskOptions, readDelayMs: number): DeviceProperties {
  const { delayWrites, writeDelayMs, flushDelayMs } = options;
  const asReads = delayWrites ? readDelayMs : 0;
  return {
    readDelayMs,
    writeDelayMs: writeDelayMs ?? asReads,
    flushDelayMs: flushDelayMs ?? asReads,
    bandwidthBytesPerSecond: options.bandwidthBytesPerSecond ?? null,
    profile: options.profile,
    badReadRate: options.badReadRate ?? 0,
  };
}

function delayProblem(name: string, delayMs: number | undefined): string | null {
  if (delayMs === undefined || (delayMs >= 0 && delayMs <= maxDelayMs)) return null;
  return `${name} is ${delayMs}; it must be a number of ms from 0 to ${maxDelayMs}`;
}

/** Every rule that the disk options break; empty when none. The back end reports what it does not support itself. */
export function diskProblems(options: DiskOptions): string[] {
  const { bandwidthBytesPerSecond, badReadRate, readAheadKiB, imageBytes } = options;
  const { leastBytes } = fileSystemRecipes[options.fileSystem ?? 'ext4'];
  const isBelow = (value: number | undefined, least: number) =>
    value !== undefined && !(value >= least && Number.isFinite(value));
  const rules = [
    delayProblem('the write delay', options.writeDelayMs),
    delayProblem('the flush delay', options.flushDelayMs),
    isBelow(bandwidthBytesPerSecond, leastBandwidth) &&
      `the bandwidth is ${bandwidthBytesPerSecond} bytes a second; it must be at least ${leastBandwidth}`,
    badReadRate !== undefined &&
      !(badReadRate >= 0 && badReadRate <= 1) &&
      `the rate of bad reads is ${badReadRate}; it must be a share from 0 to 1`,
    readAheadKiB !== undefined &&
      !(
        Number.isInteger(readAheadKiB) &&
        readAheadKiB >= 0 &&
        readAheadKiB <= longestReadAheadKiB
      ) &&
      `the read-ahead is ${readAheadKiB}; it must be a whole number of KiB from 0 to ${longestReadAheadKiB}`,
    isBelow(imageBytes, leastBytes) &&
      `the image is ${imageBytes} bytes; ${options.fileSystem ?? 'ext4'} needs ${leastBytes}`,
  ];
  return rules.filter((rule) => typeof rule === 'string');
}

/** @throws CachescopeError CS_STORAGE_OPTIONS naming every rule that is broken, exit code 2. */
export function requireDiskOptions(options: DiskOptions): void {
  const problems = diskProblems(options);
  if (problems.length === 0) return;
  throw new CachescopeError('CS_STORAGE_OPTIONS', problems.join('; '));
}

/**
 * Refuses an invalid delay.
 *
 * @throws CachescopeError CS_STORAGE_DELAY naming the value and the rule, exit code 2.
 */
export function requireReadDelay(delayMs: number): void {
  const problem = delayProblem('the delay', delayMs);
  if (problem) throw new CachescopeError('CS_STORAGE_DELAY', problem);
}

/** The delays of a device that are not whole ms, for back ends that support only whole ms. */
export function fractionalDelays(properties: DeviceProperties): number[] {
  const { readDelayMs, writeDelayMs, flushDelayMs } = properties;
  return [readDelayMs, writeDelayMs, flushDelayMs].filter((delayMs) => !Number.isInteger(delayMs));
}
