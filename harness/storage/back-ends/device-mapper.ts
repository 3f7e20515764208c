import { readdirSync } from 'node:fs';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { kernelText } from '../../kernel-text.ts';
import { sectorBytes } from '../device-counters.ts';
import type { DeviceProperties } from '../device-properties.ts';

const blockDevices = '/sys/block';

/**
 * Whether device-mapper has a device of this name (sysfs-block-dm). Asks the kernel: without udev, /dev/mapper is not
 * kept up to date.
 */
export function isMapped(name: string): boolean {
  return readdirSync(blockDevices).some(
    (device) => kernelText(`${blockDevices}/${device}/dm/name`).trimEnd() === name,
  );
}

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

/**
 * Bytes that fail together: with a smaller unit, the table of a one-gigabyte device would have hundreds of thousands of
 * lines.
 */
const stretchBytes = 64 * 1024;
/** The same blocks fail in every run. */
const seed = 1;

/**
 * The flakey target, up for `upSeconds` and then down for `downSeconds`; reads fail while it is down (dm-flakey.rst).
 */
function flakey(device: string, start: number, sectors: number, up: number, down: number): string {
  return `${start} ${sectors} flakey ${device} ${start} ${up} ${down} 1 error_reads`;
}

/**
 * A table in which no read fails. A kernel whose flakey target cannot fail only reads refuses this table too, before
 * any data is lost.
 */
export function soundTable(device: string, imageBytes: number): string {
  return flakey(device, 0, imageBytes / sectorBytes, 1, 0);
}

/**
 * Reads of a share of the device's 64 KiB stretches fail, as on a worn disk: every read of such a stretch, every time.
 * Adjacent stretches of the same kind share one line.
 */
export function badBlocksTable(device: string, imageBytes: number, rate: number): string {
  const random = createRandom(seed);
  const stretchSectors = stretchBytes / sectorBytes;
  const end = imageBytes / sectorBytes;
  const lines: string[] = [];
  let start = 0;
  let isBad = random() < rate;
  for (let at = stretchSectors; start < end; at += stretchSectors) {
    const isNextBad = random() < rate;
    if (isNextBad === isBad && at < end) continue;
    const sectors = Math.min(at, end) - start;
    lines.push(
      isBad
        ? flakey(device, start, sectors, 0, 1)
        : `${start} ${sectors} linear ${device} ${start}`,
    );
    start = at;
    isBad = isNextBad;
  }
  return lines.join('\n');
}
