/** Height of a row, px, as in DevTools' small rows; grid.css has the same value. */
export const rowPx = 21;

/** Rows drawn above and below the view, so that a short scroll does not show gaps. */
const spareRows = 12;
/** The window moves in steps of this many rows, so that most scroll events change nothing. */
const stepRows = 6;

/** The first row of the window for a scroll position: the first row in view, or one slightly above it. */
export function windowStart(scrollTopPx: number): number {
  return Math.max(0, Math.floor(scrollTopPx / (rowPx * stepRows)) * stepRows);
}

/**
 * Indexes of the rows to draw, ascending: those in view, some above and below, and the focused one. `firstRow` is the
 * result of `windowStart`.
 */
export function rowWindow(
  firstRow: number,
  rowsInView: number,
  count: number,
  focused: number,
): number[] {
  // After filtering there may be fewer rows than the scroll position: Chromium then scrolls the grid to its end.
  const first = Math.max(0, Math.min(firstRow, count - rowsInView));
  const from = Math.max(0, first - spareRows);
  const to = Math.min(count, first + stepRows + rowsInView + spareRows);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  if (focused < 0 || focused >= count || (focused >= from && focused < to)) return indexes;
  return focused < from ? [focused, ...indexes] : [...indexes, focused];
}
