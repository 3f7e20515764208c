import { type CsvCell, csvText } from '../csv.ts';
import { inUnit, percent, rangeText, type Unit, unknownText } from '../quantity.ts';
import type { Interval } from '../statistics/interval.ts';

/**
 * Where a table or a column appears. `html`: the page in the panel and in report.html; `text`: the screen of a terminal
 * and report.txt; `report`: report.txt only; `csv`: the CSV file.
 */
export type Form = 'html' | 'text' | 'report' | 'csv';

/** One column, declared once for every form. */
export interface Column<Row> {
  /** Header in CSV: snake_case with the unit as its last part, `median_ms`. */
  key: string;
  /** Header for people; absent: the key. A function gets a row of the table. */
  title?: string | ((row: Row) => string);
  /** The title in 80 columns; absent: the same. */
  brief?: string;
  /** undefined: the column does not apply to this row; null: unknown. */
  value: (row: Row) => CsvCell;
  /** How people see a number; absent: without a unit. */
  unit?: Unit | ((row: Row) => Unit);
  /** What people see where the unit does not say enough. */
  text?: (row: Row) => string;
  /** What people see of an unknown value; absent: a dash. */
  unknown?: string;
  /** The interval of the value; its ends are CSV columns of their own, `median_low_ms`. null: unknown. */
  interval?: (row: Row) => Interval | null | undefined;
  /** A sentence about the value, shown on request. */
  note?: (row: Row) => string | undefined;
  /** `name`: it identifies the row; `word`: text. Absent: a number. */
  kind?: 'name' | 'word';
  /** Absent: in every form. */
  in?: readonly Form[];
}

/** The texts above a table. */
export interface Heading {
  title: string;
  /** How to read the table; absent: the title says enough. */
  caption?: string;
  /** The title in 80 columns; absent: the same. */
  brief?: string;
}

/** A table over rows of one type: a table for people for each group of rows, and one CSV file over all. */
export interface TableOf<Row> {
  columns: readonly Column<Row>[];
  /** A function: the rows depend on the form, as published values that are not in the CSV file. */
  rows: readonly Row[] | ((form: Form) => readonly Row[]);
  /** The heading of the table that has this row: rows with equal headings share a table. */
  group: (row: Row, form: Form) => Heading;
  /** Rows with equal names stand side by side, each under this title. */
  across?: (row: Row) => string;
  /** A last column that says something about all rows of a line, such as which is the fastest. */
  last?: { title: string; text: (rows: readonly Row[]) => string };
  /** Name of the CSV file; absent: there is none. */
  file?: string;
  /** Where people see the table; absent: in every form. */
  in?: readonly Form[];
  /** Lines below the table of these rows. */
  below?: (rows: readonly Row[], form: Form) => string[];
}

/** A cell for people. */
export interface ShownCell {
  text: string;
  /**
   * `10.3 to 12 ms`, a dash for an unknown one; on the screen `±8 %` of a value that is no share itself. Absent: the value
   * is unknown, or the column has no intervals.
   */
  interval?: string;
  note?: string;
}

/** A table for people: texts only, so that a renderer knows nothing of its rows. */
export interface ShownTable extends Heading {
  /** Number of first columns that name a row. */
  names: number;
  /** Titles above columns, each with the number of its columns; absent: none. */
  across?: readonly (readonly [title: string, columns: number])[];
  head: readonly { title: string; isWord: boolean }[];
  rows: readonly (readonly ShownCell[])[];
  below: readonly string[];
}

/** A declared table, whatever the type of its rows. */
export interface Table {
  /** The tables for people; empty: none in this form. */
  shown: (form: Exclude<Form, 'csv'>) => ShownTable[];
  /** The CSV file (RFC 4180); an empty field: unknown, or does not apply. null: the table has none. */
  csv: (first?: Readonly<Record<string, string>>) => { name: string; content: string } | null;
}

/** Makes the table of a declaration. */
export function tableOf<Row>(declared: TableOf<Row>): Table {
  const { rows, group, file } = declared;
  const rowsIn = (form: Form) => (typeof rows === 'function' ? rows(form) : rows);
  return {
    shown(form) {
      if (!isIn(form, declared)) return [];
      const groups = Map.groupBy(rowsIn(form), (row) => JSON.stringify(group(row, form)));
      return [...groups.values()].map((own) => shownTable(declared, own, form));
    },
    csv: (first = {}) => {
      if (file === undefined) return null;
      const columns = Object.entries(first).map(([key, value]) => ({ key, value: () => value }));
      return { name: file, content: csvFile([...columns, ...declared.columns], rowsIn('csv')) };
    },
  };
}

/** report.txt has what stdout has, and more. */
function isIn(form: Form, { in: forms }: { in?: readonly Form[] }): boolean {
  return !forms || forms.includes(form) || (form === 'report' && forms.includes('text'));
}

function csvFile<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const fields = columns
    .filter((column) => isIn('csv', column))
    .flatMap(({ key, value, interval }): [string, (row: Row) => CsvCell][] => [
      [key, value],
      ...(interval
        ? (['low', 'high'] as const).map((end): [string, (row: Row) => CsvCell] => [
            endKey(key, end),
            (row) => interval(row)?.[end],
          ])
        : []),
    ]);
  return csvText(
    fields.map(([key]) => key),
    rows.map((row) => fields.map(([, value]) => rounded(value(row)))),
  );
}

/** Without the last digits of a computed fraction, which say nothing. */
function rounded(value: CsvCell): CsvCell {
  return typeof value === 'number' ? Number(value.toPrecision(12)) : value;
}

/** The end of an interval: `median_ms` has `median_low_ms`, because the unit is the last part. */
function endKey(key: string, end: 'low' | 'high'): string {
  const unit = /_(?:ms|s|bytes|share|times)$/.exec(key)?.[0] ?? '';
  return `${key.slice(0, key.length - unit.length)}_${end}${unit}`;
}

/** Rows that stand side by side with others, and the columns that apply to at least one of them. */
interface Side<Row> {
  title: string;
  rows: ReadonlySet<Row>;
  columns: readonly Column<Row>[];
}

function shownTable<Row>(
  declared: TableOf<Row>,
  rows: readonly Row[],
  form: Exclude<Form, 'csv'>,
): ShownTable {
  const { group, across, below, last } = declared;
  const columns = declared.columns.filter((column) => isIn(form, column));
  const names = columns.filter((column) => column.kind === 'name' && applies(column, rows));
  const groups = across ? Map.groupBy(rows, across) : new Map([['', rows]]);
  const sides = [...groups].map(([title, own]): Side<Row> => ({
    title,
    rows: new Set(own),
    columns: columns.filter((column) => column.kind !== 'name' && applies(column, own)),
  }));
  const lines = across ? linesOf(rows, declared.columns) : rows.map((row) => [row]);
  const [first] = rows;
  return {
    ...(first === undefined ? { title: '' } : group(first, form)),
    names: names.length,
    ...(across && {
      across: [
        ['', names.length] as const,
        ...sides.map((side) => [side.title, side.columns.length] as const),
        ...(last ? [['', 1] as const] : []),
      ],
    }),
    head: [
      ...[names, ...sides.map((side) => side.columns)].flat().map((column) => ({
        title: titleOf(column, first, form),
        isWord: column.kind !== undefined,
      })),
      ...(last ? [{ title: last.title, isWord: true }] : []),
    ],
    rows: lines.map((line) => [
      ...names.map((column) => cellOf(column, line[0], form)),
      ...sides.flatMap((side) => {
        const row = line.find((each) => side.rows.has(each));
        return side.columns.map((column) => cellOf(column, row, form));
      }),
      ...(last ? [{ text: last.text(line) }] : []),
    ]),
    below: below?.(rows, form) ?? [],
  };
}

/** Whether a column applies to a row: otherwise it is left out. */
function applies<Row>({ value }: Column<Row>, rows: readonly Row[]): boolean {
  return rows.some((row) => value(row) !== undefined);
}

/** The rows with equal names, in any form: a name that is only in the CSV file keeps two lines apart. */
function linesOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Row[][] {
  const names = columns.filter(({ kind }) => kind === 'name');
  const nameOf = (row: Row) => JSON.stringify(names.map(({ value }) => value(row)));
  return [...Map.groupBy(rows, nameOf).values()];
}

function titleOf<Row>(
  { key, title = key, brief }: Column<Row>,
  row: Row | undefined,
  form: Form,
): string {
  if (form !== 'html' && brief !== undefined) return brief;
  if (typeof title === 'string') return title;
  return row === undefined ? key : title(row);
}

function cellOf<Row>(column: Column<Row>, row: Row | undefined, form: Form): ShownCell {
  const { unknown = unknownText, interval, text, note } = column;
  const value = row === undefined ? null : column.value(row);
  if (row === undefined || value === null || value === undefined) return { text: unknown };
  const unit = typeof column.unit === 'function' ? column.unit(row) : column.unit;
  const sentence = note?.(row);
  const range = interval?.(row);
  return {
    text: text?.(row) ?? (typeof value === 'number' ? inUnit(value, unit) : `${value}`),
    ...(range !== undefined && { interval: intervalText(value, range, unit, form) }),
    ...(sentence !== undefined && { note: sentence }),
  };
}

/** On the screen an interval is as short as it can be: its greater half as a share of the value. */
function intervalText(value: CsvCell, range: Interval | null, unit: Unit | undefined, form: Form) {
  if (
    form !== 'text' ||
    unit === 'share' ||
    range === null ||
    typeof value !== 'number' ||
    value === 0
  )
    return rangeText(range, unit);
  const half = Math.max(range.high - value, value - range.low) / Math.abs(value);
  return `±${percent(Number(half.toPrecision(2)))}`;
}
