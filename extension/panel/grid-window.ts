/** Height of a row, px, as in DevTools' small rows; grid.css has the same. */
export const rowPx = 21;

/** Rows drawn above and below the view, so that a short scroll finds them there. */
const spareRows = 12;
/** The window moves in steps, so that most scroll events change nothing. */
const stepRows = 4;

/** Positions of the rows to draw, ascending: those in view, some beside them, and the one that has the focus. */
export function rowWindow(
  firstRow: number,
  rowsInView: number,
  count: number,
  focused: number,
): number[] {
  const from = Math.max(0, Math.floor((firstRow - spareRows) / stepRows) * stepRows);
  const to = Math.min(count, Math.ceil((firstRow + rowsInView + spareRows) / stepRows) * stepRows);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  if (focused < 0 || focused >= count || (focused >= from && focused < to)) return indexes;
  return focused < from ? [focused, ...indexes] : [...indexes, focused];
}
