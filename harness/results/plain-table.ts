import Table from 'cli-table3';

/**
 * Plain columns without a frame, separated by two spaces, so that two arms fit 80 columns and `cut` and `awk` can parse
 * it.
 *
 * @param words number of first columns that hold text, which is left-aligned; or the indexes of these columns
 * @param shared in this many first columns, a cell is empty where it and those before it equal the row above
 */
export function plainTable(
  head: readonly string[],
  words: number | readonly number[],
  rows: readonly (readonly string[])[],
  shared = 0,
): string {
  const parts = ['top', 'bottom', 'left', 'mid', 'right'].flatMap((part) =>
    [part, `${part}-left`, `${part}-mid`, `${part}-right`].map((name) => [name, '']),
  );
  const isText = (column: number) =>
    typeof words === 'number' ? column < words : words.includes(column);
  const table = new Table({
    head: [...head],
    chars: { ...Object.fromEntries(parts), middle: '  ' },
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 0 },
    colAligns: head.map((_, column) => (isText(column) ? 'left' : 'right')),
  });
  const isRepeated = (row: readonly string[], at: number, column: number) =>
    column < shared &&
    row.slice(0, column + 1).every((cell, each) => cell === rows[at - 1]?.[each]);
  for (const [at, row] of rows.entries())
    table.push(row.map((cell, column) => (isRepeated(row, at, column) ? '' : cell)));
  return table.toString();
}
