import { printableLines } from '@cachescope/model/printable.ts';
import { headlineOf, type Page } from '@cachescope/model/page/page.ts';
import type { ShownTable } from '@cachescope/model/page/table.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { type Trust, trustText } from '@cachescope/model/run/trust.ts';
import { clock } from '../lab/progress.ts';
import { screenTableLines } from './page-text.ts';
import { firstLines } from './wrap.ts';

/** Lines of a screen; one more is for the number of warnings and the report's path. */
const mostLines = 24;

/**
 * A run's page as one screen: the answer, what was measured and how far to trust it, the tables, what else decides. Rows
 * that do not fit are left out evenly, and the text says so. Everything is in report.txt.
 */
export function screenText(page: Page, run: RunBase, trust: Trust, columns = 80): string {
  const whole = screenOf(page, trust, [trustLine(run, trust), 2], columns);
  // Facts and reasons of the grade make room for rows.
  const { blocks } = whole.isWhole
    ? whole
    : screenOf(page, trust, [trustLine(run, trust), 1], columns);
  const text = blocks.filter(({ length }) => length > 0).map((block) => block.join('\n'));
  return printableLines(`${text.join('\n\n')}\n`);
}

interface Screen {
  blocks: string[][];
  /** Everything fits: no table is shortened or left out. */
  isWhole: boolean;
}

function screenOf(
  page: Page,
  trust: Trust,
  [why, most]: readonly [why: string, linesOfFacts: number],
  columns: number,
): Screen {
  const { sections, facts, closing = [] } = page;
  const shown = sections.filter(({ isDetail }) => !isDetail);
  const head = [
    ...firstLines(headlineOf(page, trust), columns, 3),
    ...firstLines(facts.join(' · '), columns, most),
    ...firstLines(why, columns, most),
  ];
  const lines = shown.flatMap((section) => section.lines ?? []);
  // Of a poor run the further sentences hold on any machine.
  const holding = trust.inconclusive === null ? [] : page.finding.slice(1);
  const ends = [...holding, ...closing].flatMap((each) => firstLines(each, columns, 2));
  const fixed = [head, lines, ends].filter(({ length }) => length > 0);
  const left = mostLines - fixed.flat().length - fixed.length + 1;
  const tables = shown
    .flatMap(({ tables: own = [] }) => own)
    .flatMap((table) => table.shown('text'));
  const fitted = fitting(tables, left, columns);
  return {
    blocks: [head, lines, ...fitted, ends],
    isWhole: left >= 0 && isWhole(tables, fitted, columns),
  };
}

function isWhole(tables: readonly ShownTable[], fitted: string[][], columns: number): boolean {
  const lines = tables.flatMap((table) => screenTableLines(table, columns));
  return lines.length === fitted.flat().length;
}

/** `trust: fair (the machine was not checked) · 1:48`. The headline of a poor run has the reasons. */
function trustLine({ timeSpent, merged }: RunBase, trust: Trust): string {
  const [grade = '', ...reasons] = trustText(trust).split(': ');
  const why = trust.grade === 'poor' || reasons.length === 0 ? '' : ` (${reasons.join(': ')})`;
  const machines = merged ? ' of machine time' : '';
  const time = timeSpent ? `${clock(timeSpent.totalMs / 1000)}${machines} · ` : '';
  return `${time}trust: ${trust.grade === 'poor' ? 'poor' : grade}${why}`;
}

/** Rows that a table keeps at least. */
const fewestRows = 3;

/** Tables in this many lines, each after an empty one: the longest is shortened first, the last is left out first. */
function fitting(tables: readonly ShownTable[], lines: number, columns: number): string[][] {
  const rows = tables.map((table) => table.rows.length);
  const drawn = () =>
    tables.map((table, at) => screenTableLines(shortened(table, rows[at] ?? 0), columns));
  const height = (blocks: readonly string[][]) => blocks.flat().length + blocks.length;
  let blocks = drawn();
  while (height(blocks) > lines && Math.max(...rows) > fewestRows) {
    const longest = rows.indexOf(Math.max(...rows));
    const second = Math.max(fewestRows, ...rows.filter((_, at) => at !== longest));
    const now = rows[longest] ?? 0;
    // The line that says so takes the place of one row.
    const line = now === tables[longest]?.rows.length ? 1 : 0;
    // A table is drawn a few times, also one of a thousand rows: all that is too much is left out at once.
    const fit = now - line - (height(blocks) - lines);
    rows[longest] = Math.min(now - line - 1, Math.max(fit, second));
    blocks = drawn();
  }
  if (height(blocks) <= lines || tables.length <= 1)
    return blocks.map((own) => own.slice(0, lines));
  return fitting(tables.slice(0, -1), lines, columns);
}

/** Some of the rows, evenly from the first to the last; rows with the same first name stay together. */
function shortened(table: ShownTable, most: number): ShownTable {
  const all = table.rows.length;
  if (most >= all) return table;
  const groups = [...Map.groupBy(table.rows, ([first]) => first?.text).values()];
  const rows =
    evenly(groups, most) ??
    evenly(
      table.rows.map((row) => [row]),
      most,
    ) ??
    [];
  return {
    ...table,
    rows,
    below: [`${rows.length} of ${all} rows; --verbose shows all`, ...table.below],
  };
}

/** As many groups as have at most this many rows in all; null: not even the first and the last. */
function evenly<Row>(groups: readonly (readonly Row[])[], most: number): Row[] | null {
  for (let count = groups.length; count > 1; count--) {
    const places = Array.from({ length: count }, (_, at) =>
      Math.round((at * (groups.length - 1)) / (count - 1)),
    );
    const rows = places.flatMap((place) => groups[place] ?? []);
    if (rows.length <= most) return rows;
  }
  return null;
}
