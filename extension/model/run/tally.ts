import { byLaunch, type Reading, valuesOf } from '../statistics/readings.ts';
import { median } from '../statistics/quantile.ts';
import { least } from '../extremes.ts';

/** What the grade of a run needs of its measurements. */
export interface Tally {
  /** Measurements taken, and how many of them are flagged. */
  taken: number;
  flagged: number;
  /** Usable readings of each cell, in the order taken; empty: the experiment compares no readings of launches. */
  cells: readonly (readonly Reading[])[];
  /** What the launches of the readings are; default `launch`. */
  repeated?: 'round';
  /** Reads that a further witness was to confirm; absent: the experiment has none. */
  confirmations?: { taken: number; failed: number };
  /** Counted reads of the slow device, and those during which it read much more than usual; absent: not counted. */
  deviceReads?: { taken: number; excessive: number };
}

/** A measurement as the tally needs it. */
interface Tallied {
  cell: string;
  launch: number | null;
  /** null: unknown. */
  value: number | null;
  isFlagged: boolean;
}

/** Tallies measurements in the order taken. */
export function tallyOf<Line>(lines: Iterable<Line>, read: (line: Line) => Tallied): Tally {
  const cells = new Map<string, Reading[]>();
  let [taken, flagged] = [0, 0];
  for (const line of lines) {
    const { cell, launch, value, isFlagged } = read(line);
    taken++;
    if (isFlagged) flagged++;
    else if (value !== null) {
      const own = cells.get(cell) ?? [];
      cells.set(cell, own);
      own.push({ value, launch });
    }
  }
  return { taken, flagged, cells: [...cells.values()] };
}

/** Launches of the cell that has the fewest; null without cells. */
export function fewestLaunches({ cells }: Tally): number | null {
  return cells.length === 0 ? null : least(cells.map((cell) => byLaunch(cell).size));
}

/** Readings in all below which the halves of a run are not compared. */
const fewestForDrift = 8;

/**
 * Ratio of the second half of a run to its first: the median over the cells of the ratio of the medians of their
 * halves. null: unknown, because fewer than eight readings are in cells with two or more.
 */
export function driftOf({ cells }: Tally): number | null {
  const repeated = cells.filter(({ length }) => length > 1);
  if (repeated.flat().length < fewestForDrift) return null;
  const ratios = repeated.flatMap((cell) => {
    const values = valuesOf(cell);
    const [first, second] = [
      median(values.slice(0, values.length / 2)),
      median(values.slice(-values.length / 2)),
    ];
    return first !== null && second !== null && first > 0 ? [second / first] : [];
  });
  return median(ratios);
}
