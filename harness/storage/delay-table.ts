import { sectorBytes } from './device-counters.ts';
import type { DeviceProperties } from './device-properties.ts';

/**
 * The delay target's table (Linux Documentation/admin-guide/device-mapper/delay.rst): the device three times, with the
 * delays of reads, writes and flushes, whole ms.
 */
export function delayTable(
  device: string,
  imageBytes: number,
  { readDelayMs, writeDelayMs, flushDelayMs }: DeviceProperties,
): string {
  const delays = [readDelayMs, writeDelayMs, flushDelayMs].map(
    (delayMs) => `${device} 0 ${delayMs}`,
  );
  return `0 ${imageBytes / sectorBytes} delay ${delays.join(' ')}`;
}

/**
 * A table in the format of `dmsetup table`, with every delay 0; null when it is not a table of the delay target. A
 * device that a killed program left with a delay of seconds can then be unmounted.
 */
export function withoutDelays(table: string): string | null {
  const [start, sectors, target, ...words] = table.trim().split(/\s+/);
  if (target !== 'delay' || words.length === 0 || words.length % 3 !== 0) return null;
  const still = words.map((word, index) => (index % 3 === 2 ? '0' : word));
  return [start, sectors, target, ...still].join(' ');
}
