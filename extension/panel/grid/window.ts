/** Height of a row, px, as in DevTools' small rows; grid.css has the same. */
export const rowPx = 21;

/** Rows drawn above and below the view, so that a short scroll finds them there. */
const spareRows = 12;
/** The window moves in steps, so that most scroll events change nothing. */
const stepRows = 6;

/** The row that the window counts from when a grid is scrolled by so much: the first in view, or one of those before. */
export function windowStart(scrollTopPx: number): number {
  return Math.max(0, Math.floor(scrollTopPx / (rowPx * stepRows)) * stepRows);
}

/**
 * Positions of the rows to draw, ascending: those in view, some beside them, and the one that has the focus. `firstRow`
 * is what `windowStart` gave.
 */
export function rowWindow(
  firstRow: number,
  rowsInView: number,
  count: number,
  focused: number,
): number[] {
  // A filter may have left fewer rows than the grid was scrolled by: Chromium then scrolls it to its end.
  const first = Math.max(0, Math.min(firstRow, count - rowsInView));
  const from = Math.max(0, first - spareRows);
  const to = Math.min(count, first + stepRows + rowsInView + spareRows);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  if (focused < 0 || focused >= count || (focused >= from && focused < to)) return indexes;
  return focused < from ? [focused, ...indexes] : [...indexes, focused];
}
