/** Returns the keys of the row elements for lit's `repeat`, given the sequence numbers of the rows in order. */
export type RowKeys = (sequences: readonly number[]) => number[];

/**
 * Keys that let rows be recycled: a row that stays in view keeps its key, and so its element and its focus; one that comes
 * into view takes the key of one that left, whose element then only changes its texts. To make a row anew takes three
 * times as long.
 */
export function recycledKeys(): RowKeys {
  let keyOf = new Map<number, number>();
  let made = 0;
  return (sequences) => {
    const shown = new Set(sequences);
    const free = [...keyOf].filter(([sequence]) => !shown.has(sequence)).map(([, key]) => key);
    const next = new Map<number, number>();
    for (const sequence of sequences) {
      next.set(sequence, keyOf.get(sequence) ?? free.pop() ?? made++);
    }
    keyOf = next;
    return sequences.map((sequence) => next.get(sequence) ?? 0);
  };
}
