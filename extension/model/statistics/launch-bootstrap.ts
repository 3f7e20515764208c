import type { Launches } from './design.ts';
import { normalTwoSided } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** The median of all values of some launches, each launch counted as often as it was drawn. NaN when none was. */
export type DrawnMedian = (timesDrawn: Uint32Array) => number;

/** Prepares the values of `launches` so that the median of any draw of whole launches takes one walk, and no sort. */
export function drawnMedian(launches: Launches): DrawnMedian {
  const pairs = launches.flatMap((values, launch) => values.map((value) => ({ value, launch })));
  const sorted = pairs.toSorted((a, b) => a.value - b.value);
  const values = Float64Array.from(sorted, (pair) => pair.value);
  const owners = Uint32Array.from(sorted, (pair) => pair.launch);
  return (timesDrawn) => {
    const size = launches.reduce(
      (total, launch, index) => total + launch.length * (timesDrawn[index] ?? 0),
      0,
    );
    const lowerRank = Math.ceil(size / 2);
    const upperRank = Math.floor(size / 2) + 1;
    let lower = Number.NaN;
    for (let index = 0, rank = 0; index < values.length; index++) {
      rank += timesDrawn[owners[index] ?? 0] ?? 0;
      if (Number.isNaN(lower) && rank >= lowerRank && size > 0) lower = values[index] ?? Number.NaN;
      if (rank >= upperRank) return (lower + (values[index] ?? Number.NaN)) / 2;
    }
    return Number.NaN;
  };
}

/** Draws as many launches as there are, with replacement, and says how often each was drawn. The array is used again. */
export function launchDraws(launches: number, random: () => number): () => Uint32Array {
  const timesDrawn = new Uint32Array(launches);
  return () => {
    timesDrawn.fill(0);
    for (let draw = 0; draw < launches; draw++) {
      const drawn = Math.floor(random() * launches);
      timesDrawn[drawn] = (timesDrawn[drawn] ?? 0) + 1;
    }
    return timesDrawn;
  };
}

/** For each launch the draw that has every launch once but that one: what a jackknife over launches needs. */
export function* leaveOneLaunchOut(launches: number): Generator<Uint32Array> {
  const timesDrawn = new Uint32Array(launches).fill(1);
  for (let left = 0; left < launches; left++) {
    timesDrawn[left] = 0;
    yield timesDrawn;
    timesDrawn[left] = 1;
  }
}

/**
 * The confidence to ask of a bootstrap over `launches` so that it covers `confidence`: a bootstrap of n units takes the
 * variance for n / (n - 1) too small and the normal law for Student's (Hesterberg 2015, "What teachers should know about
 * the bootstrap", 4.1.3).
 */
export function widened(confidence: number, launches: number): number {
  const reach = studentCritical(confidence, launches - 1);
  return 1 - normalTwoSided(reach * Math.sqrt(launches / (launches - 1)));
}
