/** Result of measuring two steps; `open`: the data do not decide it. */
export type Difference = 'differs' | 'alike' | 'open';

/** A measured pair of steps, by their indices in the list. */
export interface Look {
  against: number;
  of: number;
  difference: Difference;
}

/** Outcome of a search. `from` and `to` are the adjacent steps, or the ends of the undecided range. */
export type Found =
  | { outcome: 'found'; from: number; to: number }
  | { outcome: 'ends alike' }
  | { outcome: 'ends open' }
  | { outcome: 'open'; from: number; to: number };

/**
 * Finds the first of `count` steps that differs from the first one, in about log2(count) comparisons: as `git bisect`,
 * but with a third answer. The ends are compared first, and the remaining adjacent steps last.
 *
 * @param look Measures two steps; returns `open` only when more samples are not available.
 */
export async function narrow(
  count: number,
  look: (against: number, of: number) => Promise<Difference>,
): Promise<Found> {
  const ends = await look(0, count - 1);
  if (ends === 'alike') return { outcome: 'ends alike' };
  if (ends === 'open') return { outcome: 'ends open' };
  let [from, to] = [0, count - 1];
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const difference = await look(0, middle);
    if (difference === 'open') return { outcome: 'open', from, to };
    if (difference === 'differs') to = middle;
    else from = middle;
  }
  // With two steps, the comparison of the ends was this one.
  if (count === 2) return { outcome: 'found', from, to };
  const last = await look(from, to);
  return { outcome: last === 'differs' ? 'found' : 'open', from, to };
}
