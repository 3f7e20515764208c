import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { DeviceProperties } from '../device-properties.ts';

/** Values of the control file, each a little-endian double, in this order; the plugin (nbd-live.py) reads them. */
const fields = [
  'readDelayMs',
  'writeDelayMs',
  'flushDelayMs',
  'badReadShare',
  'bytesPerSecond',
  'drawsLatency',
] as const;
type Field = (typeof fields)[number];

const numberBytes = 8;

/** The file in a work directory from which the served device reads its delays. */
export function controlFile(directory: string): string {
  return join(directory, 'delays');
}

/** Writes values of a control file, each at its offset and in one write: they apply from the next request on. */
function write(file: number, values: Partial<Record<Field, number>>): void {
  for (const [index, field] of fields.entries()) {
    const value = values[field];
    if (value === undefined) continue;
    const bytes = Buffer.alloc(numberBytes);
    bytes.writeDoubleLE(value);
    writeSync(file, bytes, 0, numberBytes, index * numberBytes);
  }
}

/** No delays, no bad reads, no limit of the bandwidth, no profile. */
const noDelays: Record<Field, number> = {
  readDelayMs: 0,
  writeDelayMs: 0,
  flushDelayMs: 0,
  badReadShare: 0,
  bytesPerSecond: 0,
  drawsLatency: 0,
};

function delaysOf({ readDelayMs, writeDelayMs, flushDelayMs }: DeviceProperties) {
  return { readDelayMs, writeDelayMs, flushDelayMs };
}

/** Opens a control file without following links, and writes to it. */
function change(directory: string, flags: number, values: Partial<Record<Field, number>>): void {
  const file = openSync(
    controlFile(directory),
    constants.O_WRONLY | constants.O_NOFOLLOW | flags,
    0o600,
  );
  try {
    write(file, values);
  } finally {
    closeSync(file);
  }
}

/** Creates the control file of a device before the device is created, with bad reads and its profile off. */
export function makeControl(directory: string, properties: DeviceProperties): void {
  const bytesPerSecond = properties.bandwidthBytesPerSecond ?? 0;
  change(directory, constants.O_CREAT, { ...noDelays, ...delaysOf(properties), bytesPerSecond });
}

/** Changes the delays of a device in use. */
export function changeDelays(directory: string, properties: DeviceProperties): void {
  change(directory, 0, delaysOf(properties));
}

/** Sets the share of reads that fail, 0 to 1, of a device in use. */
export function changeBadReads(directory: string, share: number): void {
  change(directory, 0, { badReadShare: share });
}

/** Switches the profile of a device in use on or off: its latencies, and its bandwidth unless the device has its own. */
export function changeProfile(
  directory: string,
  { bandwidthBytesPerSecond, profile }: DeviceProperties,
  on: boolean,
): void {
  const ofProfile = on ? profile?.bandwidthBytesPerSecond : undefined;
  const bytesPerSecond = bandwidthBytesPerSecond ?? ofProfile ?? 0;
  change(directory, 0, { drawsLatency: on ? 1 : 0, bytesPerSecond });
}

/**
 * Sets every delay to 0 on a device that a killed program left, so that it can be unmounted. Does nothing without a
 * file.
 */
export function withoutLiveDelays(directory: string): void {
  try {
    change(directory, 0, noDelays);
  } catch {
    // It was removed with its directory, or the back end has none: the unmount reports any problem.
  }
}
