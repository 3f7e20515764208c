/** Clocks of different witnesses agree within a few ms; a request's way between them takes some more. */
const toleranceMs = 250;
/** Two candidates whose distances differ by less than this cannot be told apart by time. */
const clearanceMs = 5;

/**
 * Pairs the starts of uses of one URL as two witnesses saw them: in order, one to one, with the least total distance.
 * Returns for each of `others` the index in `starts`, or null when it has no partner within 250 ms, or when a use that
 * is left over could be the partner just as well: better no pair than a wrong one. Both lists ascend.
 */
export function pairStarts(
  starts: readonly number[],
  others: readonly number[],
): (number | null)[] {
  if (starts.length === others.length) {
    return others.map((time, index) => within(starts[index], time, index));
  }
  if (starts.length < others.length) return inverted(pairStarts(others, starts), others.length);
  const chosen = leastDistance(starts, others);
  const taken = new Set(chosen);
  return others.map((time, place) => {
    const index = chosen[place] ?? -1;
    const rival = rivalDistance(starts, taken, time);
    const distance = Math.abs((starts[index] ?? Number.POSITIVE_INFINITY) - time);
    return rival - distance < clearanceMs ? null : within(starts[index], time, index);
  });
}

function within(start: number | undefined, time: number, index: number): number | null {
  return start !== undefined && Math.abs(start - time) <= toleranceMs ? index : null;
}

function inverted(pairs: readonly (number | null)[], length: number): (number | null)[] {
  const result = Array.from({ length }, (): number | null => null);
  for (const [index, partner] of pairs.entries()) if (partner !== null) result[partner] = index;
  return result;
}

function rivalDistance(starts: readonly number[], taken: ReadonlySet<number>, time: number) {
  const free = starts.filter((_, index) => !taken.has(index));
  return free.reduce(
    (least, start) => Math.min(least, Math.abs(start - time)),
    Number.POSITIVE_INFINITY,
  );
}

/** Aligns the shorter list within the longer one in order (dynamic programming over prefixes). */
function leastDistance(starts: readonly number[], others: readonly number[]): number[] {
  const columns = starts.length + 1;
  const cost = new Float64Array((others.length + 1) * columns).fill(Number.POSITIVE_INFINITY);
  cost.fill(0, 0, columns);
  const at = (row: number, column: number) => cost[row * columns + column] ?? 0;
  for (const [row, time] of others.entries()) {
    for (const [column, start] of starts.entries()) {
      const taking = at(row, column) + Math.abs(start - time);
      cost[(row + 1) * columns + column + 1] = Math.min(taking, at(row + 1, column));
    }
  }
  const chosen: number[] = [];
  let column = starts.length;
  for (let row = others.length; row > 0; row--) {
    while (column > row && at(row, column) === at(row, column - 1)) column--;
    chosen.unshift(--column);
  }
  return chosen;
}
