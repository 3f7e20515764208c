import type { Launches } from './design.ts';
import { normalTwoSided } from './normal.ts';
import { studentCritical } from './student-t.ts';

/** The median of all values of some launches, each launch counted as often as it was drawn. NaN when none was. */
export type DrawnMedian = (timesDrawn: Uint32Array) => number;

/** So many values are walked at a time; the counts before each such block are kept. */
const blockSize = 64;

/**
 * Prepares the values of `launches` so that the median of any draw of whole launches takes no sort and no walk over all of
 * them: how many values of each launch lie before every 64th is counted once.
 */
export function drawnMedian(launches: Launches): DrawnMedian {
  const pairs = launches.flatMap((values, launch) => values.map((value) => ({ value, launch })));
  const sorted = pairs.toSorted((a, b) => a.value - b.value);
  const values = Float64Array.from(sorted, (pair) => pair.value);
  const owners = Uint32Array.from(sorted, (pair) => pair.launch);
  const countsBefore = countsBeforeBlocks(owners, launches.length);
  const before = (block: number, timesDrawn: Uint32Array): number => {
    const start = block * launches.length;
    let count = 0;
    for (let launch = 0; launch < launches.length; launch++) {
      count += (countsBefore[start + launch] ?? 0) * (timesDrawn[launch] ?? 0);
    }
    return count;
  };
  /** The value of a rank from 1, among all values as often as their launch was drawn. */
  const valueOf = (rank: number, timesDrawn: Uint32Array): number => {
    let [first, last] = [0, Math.max(0, Math.ceil(values.length / blockSize) - 1)];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (before(middle, timesDrawn) < rank) first = middle;
      else last = middle - 1;
    }
    let count = before(first, timesDrawn);
    for (let index = first * blockSize; index < values.length; index++) {
      count += timesDrawn[owners[index] ?? 0] ?? 0;
      if (count >= rank) return values[index] ?? Number.NaN;
    }
    return Number.NaN;
  };
  return (timesDrawn) => {
    const size = launches.reduce(
      (total, launch, index) => total + launch.length * (timesDrawn[index] ?? 0),
      0,
    );
    if (size === 0) return Number.NaN;
    const lower = valueOf(Math.ceil(size / 2), timesDrawn);
    return size % 2 === 1 ? lower : (lower + valueOf(size / 2 + 1, timesDrawn)) / 2;
  };
}

/** For each block of values, how many of each launch lie before it. */
function countsBeforeBlocks(owners: Uint32Array, launches: number): Uint32Array {
  const counts = new Uint32Array(launches);
  const before = new Uint32Array(Math.ceil(owners.length / blockSize) * launches);
  for (const [index, owner] of owners.entries()) {
    if (index % blockSize === 0) before.set(counts, (index / blockSize) * launches);
    counts[owner] = (counts[owner] ?? 0) + 1;
  }
  return before;
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
