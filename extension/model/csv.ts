/** A cell's value; null and undefined are unknown and become an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/**
 * A table as CSV (RFC 4180, with line ends of one character), quoted where needed. A text that a spreadsheet would treat as a formula gets a leading
 * apostrophe: names and URLs may come from anyone (owasp.org, CSV injection).
 */
export function csvText(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cellText).join(',')}\n`).join('');
}

/** The columns of a CSV file: the name of each, and its cell in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => CsvCell>>;

/** One line per row, with these columns. */
export function csvOf<Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string {
  const cells = rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)));
  return csvText(Object.keys(columns), cells);
}

/**
 * The rows of a CSV file (RFC 4180): the cells of each, without their quotes. null: a quote is not closed, or is inside
 * an unquoted cell.
 */
export function csvRows(text: string): string[][] | null {
  const cell = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const rows: string[][] = [];
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const [found, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (found === undefined) return null;
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  // A comma at the end of the text has an empty cell after it.
  if (row.length > 0) rows.push([...row, '']);
  return rows;
}

function cellText(value: CsvCell): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : `${value}`;
  const text = isFormula(value) ? `'${value}` : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text that is a number, such as -12.50, is not a formula. */
function isFormula(text: string): boolean {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text);
}
