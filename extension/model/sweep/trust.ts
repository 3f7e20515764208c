import { median } from '../statistics/quantile.ts';
import { type Trust, trustOf } from '../run/trust.ts';
import type { SweepReads } from './reads.ts';
import type { SweepRun } from './run.ts';

/** A read from the device beyond this many times the median of its cell, and this many bytes, is of another reader. */
const excessiveTimes = 1.5;
const excessiveBytes = 64 * 1024;

/** Grades a sweep. */
export function sweepTrust(run: SweepRun, reads: SweepReads): Trust {
  const { timed, used, companions, unconfirmed } = reads.counts;
  const cells = [...reads.cells.values()];
  const deviceReads = cells.map(({ deviceReadBytes }) => deviceReadBytes);
  return trustOf(run, {
    taken: timed,
    flagged: timed - used,
    cells: cells.map((cell) => cell.readings()).filter((readings) => readings.length > 0),
    confirmations: { taken: companions, failed: unconfirmed ?? 0 },
    deviceReads: {
      taken: deviceReads.flat().length,
      excessive: deviceReads.flatMap(excessive).length,
    },
  });
}

function excessive(readBytes: readonly number[]): number[] {
  const usual = median(readBytes) ?? Infinity;
  return readBytes.filter((bytes) => bytes > excessiveTimes * usual + excessiveBytes);
}
