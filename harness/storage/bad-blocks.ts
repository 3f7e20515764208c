import { createRandom } from '@cachescope/model/statistics/random.ts';
import { sectorBytes } from './device-counters.ts';

/** Bytes that fail together: with smaller ones a table of a gigabyte would grow to hundreds of thousands of lines. */
const stretchBytes = 64 * 1024;
/** The same blocks fail in every run. */
const seed = 1;

/** The flakey target, up for `upSeconds` and then down for `downSeconds`, in which reads fail (dm-flakey.rst). */
function flakey(device: string, start: number, sectors: number, up: number, down: number): string {
  return `${start} ${sectors} flakey ${device} ${start} ${up} ${down} 1 error_reads`;
}

/** Nothing fails. A kernel whose flakey target cannot fail reads alone refuses this table too, before anything is lost. */
export function soundTable(device: string, imageBytes: number): string {
  return flakey(device, 0, imageBytes / sectorBytes, 1, 0);
}

/**
 * Reads of a share of the device's stretches of 64 KiB fail, like those of a worn disk: each read of them, every time.
 * Stretches of one kind that follow each other stand in one line.
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
