import type { PlannedDisk } from '@cachescope/model/sweep-run.ts';
import { maxDelayMs } from '../storage/delay.ts';
import type { Problems } from './option-reading.ts';

const rateUnits = { kB: 1e3, MB: 1e6, GB: 1e9 } as const;

const form = /^(\d+(?:\.\d+)?)ms,(\d+(?:\.\d+)?)(kB|MB|GB)\/s(?:,(\d+)KiB)?$/;

/** Disks that are not there, by what one read takes, their bandwidth and their read-ahead: `0.3ms,120MB/s,128KiB`. */
export function readDisks(
  texts: readonly string[] | undefined,
  problems: Problems,
): PlannedDisk[] | undefined {
  if (texts === undefined || texts.length === 0) return undefined;
  return texts.flatMap((text) => {
    const [, delay, digits, unit, readAhead] = form.exec(text) ?? [];
    const delayMs = Number(delay);
    const bandwidthBytesPerSecond =
      Number(digits) * (rateUnits[unit as keyof typeof rateUnits] ?? Number.NaN);
    if (delayMs <= maxDelayMs && bandwidthBytesPerSecond > 0) {
      const ahead = readAhead === undefined ? {} : { readAheadKiB: Number(readAhead) };
      return [{ name: text, delayMs, bandwidthBytesPerSecond, ...ahead }];
    }
    problems.push(
      `--disk is ${JSON.stringify(text)}; it must be what a read takes, to ${maxDelayMs}ms, a bandwidth and, if it is known, the read-ahead: 0.3ms,120MB/s,128KiB`,
    );
    return [];
  });
}
