import { createRandom } from '@cachescope/model/statistics/random.ts';
import { sectorBytes } from './device-counters.ts';

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
