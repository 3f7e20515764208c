import { conditionsOf } from '@cachescope/model/page/conditions.ts';
import type { Page, Section } from '@cachescope/model/page/page.ts';
import type { ShownCell, ShownTable } from '@cachescope/model/page/table.ts';
import { printable, printableLines } from '@cachescope/model/printable.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { type Trust, trustText } from '@cachescope/model/run/trust.ts';
import { plainTable } from './plain-table.ts';
import { paragraph } from './wrap.ts';

const columns = 80;

/** A run's page as text in 80 columns, whole: what was measured, finding, warnings, tables, sentences. */
export function pageText(page: Page, run: RunBase, trust: Trust): string {
  const { title, facts, notes = [], finding, warnings = [], conditions = [], sections } = page;
  const [answer = '', ...reasons] = finding;
  const tables = sections.flatMap((section) => section.tables ?? []);
  const blocks = [
    [printable(title), paragraph(facts.join(', '), columns), paragraph(trustLine(trust), columns)],
    [paragraph(answer, columns), ...reasons.map(listed)],
    foldedWarnings([...run.warnings, ...warnings]).map((warning) =>
      paragraph(`Note: ${warning}`, columns),
    ),
    ...sections.map(({ lines = [] }) => lines),
    ...tables.flatMap((table) => table.shown('report')).map(tableLines),
    notes.map((note) => paragraph(note, columns)),
    ...sections.map(sentenceLines),
    sentenceLines({
      title: 'How it was measured',
      terms: [...conditions, ...conditionsOf(run)],
    }),
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return printableLines(`${text.join('\n\n')}\n`);
}

function sentenceLines({ title, sentences = [], terms = [] }: Section): string[] {
  const lines = [...sentences, ...terms.map((term) => term.join(': '))].map(listed);
  return lines.length === 0 || title === undefined
    ? lines
    : [paragraph(`${title}:`, columns), ...lines];
}

/** The finding of a poor run has the reasons. */
function trustLine(trust: Trust): string {
  return `Trust: ${trust.grade === 'poor' ? trust.grade : trustText(trust)}`;
}

/** A table of report.txt, as wide as it is. */
export function tableLines(table: ShownTable): string[] {
  const cells = table.rows.map((row) => row.map((cell) => cellText(cell)));
  return [...headingOf(table, columns), ...drawnTable(table, cells).split('\n'), ...below(table)];
}

/** A table of the screen: where it does not fit, without intervals, and then with shorter names. */
export function screenTableLines(table: ShownTable, width: number): string[] {
  const cells = table.rows.map((row) => row.map((cell) => cellText(cell, 'text')));
  const bare = table.rows.map((row) => row.map(({ text }) => printable(text)));
  const drawn = [cells, bare].map((rows) => drawnTable(table, rows));
  const text =
    drawn.find((each) => widthOf(each) <= width) ??
    drawnTable(table, cut(bare, widthOf(drawn[1] ?? '') - width));
  return [...headingOf(table, width), ...text.split('\n'), ...below(table)];
}

function headingOf({ title, brief = title }: ShownTable, width: number): string[] {
  return brief === '' ? [] : [paragraph(brief, width)];
}

function below({ below: lines }: ShownTable): string[] {
  return lines.map((line) => indented(line, '  '));
}

function drawnTable(table: ShownTable, cells: readonly (readonly string[])[]): string {
  const { names, across, head } = table;
  // A side of one column is named by the side.
  const sides = across?.slice(1).flatMap(([side, count]) => (count === 1 ? [side] : []));
  const titles = head.map((column, place) => sides?.[place - names] || column.title);
  const words = head.flatMap(({ isWord }, place) => (isWord ? [place] : []));
  // A name is not repeated below itself.
  return plainTable(titles, words, cells, names - 1).replaceAll(/ +$/gm, '');
}

function widthOf(text: string): number {
  return Math.max(...text.split('\n').map(({ length }) => length));
}

/** The rows with this many characters fewer in the column that has the longest cells. */
function cut(rows: readonly (readonly string[])[], excess: number): string[][] {
  const widths = (rows[0] ?? []).map((_, place) =>
    Math.max(...rows.map((row) => row[place]?.length ?? 0)),
  );
  const widest = widths.indexOf(Math.max(...widths));
  const most = Math.max(8, (widths[widest] ?? 0) - excess);
  return rows.map((row) =>
    row.map((cell, place) =>
      place === widest && cell.length > most ? `${cell.slice(0, most - 1)}…` : cell,
    ),
  );
}

function cellText({ text: raw, interval = unknownText }: ShownCell, form?: 'text'): string {
  const text = printable(raw);
  if (interval === unknownText) return text;
  return form === 'text' ? `${text} ${interval}` : `${text} (${interval})`;
}

function listed(text: string): string {
  return indented(text, '- ');
}

/** A wrapped line behind a mark, with its further lines below its text. */
function indented(text: string, mark: '- ' | '  '): string {
  return mark + paragraph(text, columns - mark.length).replaceAll('\n', '\n  ');
}
