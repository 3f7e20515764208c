/** Returns the keys of the row elements for lit's `repeat`, given the sequence numbers of the rows in order. */
export type RowKeys = (sequences: readonly number[]) => number[];

/**
 * Keys that let row elements be reused. A row that stays in view keeps its key, and so its element and its focus. A row
 * that comes into view takes the key of one that left, so that only the content of its element changes. Creating a row
 * takes three times as long.
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
