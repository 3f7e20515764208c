/** What a measurement says of two steps; `open`: the data do not decide it. */
export type Difference = 'differs' | 'alike' | 'open';

/** A measured pair of steps, by their places in the list. */
export interface Look {
  against: number;
  of: number;
  difference: Difference;
}

/** How a search ended. `from` and `to` are the neighbors, or the ends of what stayed open. */
export type Found =
  | { outcome: 'found'; from: number; to: number }
  | { outcome: 'ends alike' }
  | { outcome: 'open'; from: number; to: number };

/**
 * The first of `count` steps that differs from the first one, in about log2(count) looks: as `git bisect`, and with a third answer. The
 * ends are measured first, and the neighbors that remain at last, against each other.
 *
 * @param look Measures two steps; `open` only when more samples are not to be had.
 */
export async function narrow(
  count: number,
  look: (against: number, of: number) => Promise<Difference>,
): Promise<Found> {
  const ends = await look(0, count - 1);
  if (ends === 'alike') return { outcome: 'ends alike' };
  let [from, to] = [0, count - 1];
  if (ends === 'open') return { outcome: 'open', from, to };
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2);
    const difference = await look(0, middle);
    if (difference === 'open') return { outcome: 'open', from, to };
    if (difference === 'differs') to = middle;
    else from = middle;
  }
  // Of two steps, the ends were these.
  if (count === 2) return { outcome: 'found', from, to };
  const last = await look(from, to);
  return { outcome: last === 'differs' ? 'found' : 'open', from, to };
}
