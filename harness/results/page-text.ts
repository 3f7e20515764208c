import { conditionsOf } from '@cachescope/model/page/conditions.ts';
import type { Page, Section } from '@cachescope/model/page/page.ts';
import type { ShownCell, ShownTable } from '@cachescope/model/page/table.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { RunBase } from '@cachescope/model/run/base.ts';
import { plainTable } from './plain-table.ts';
import { wrap } from './wrap.ts';

const columns = 80;

/**
 * A run's page as text in 80 columns: what was measured, tables, finding, warnings, sentences. `report`: with the details
 * that stdout leaves out.
 */
export function pageText(page: Page, run: RunBase, form: 'text' | 'report' = 'text'): string {
  const { title, facts, notes = [], finding, warnings = [], conditions = [] } = page;
  const [answer = '', ...reasons] = finding;
  const isReport = form === 'report';
  const sections = page.sections.filter(({ isDetail }) => isReport || !isDetail);
  const tables = sections.flatMap((section) => section.tables ?? []);
  const blocks = [
    [title, wrap(facts.join(', '), columns)],
    ...sections.map(({ lines = [] }) => lines),
    ...tables.flatMap((table) => table.shown(form)).map(tableLines),
    notes.map((note) => wrap(note, columns)),
    [wrap(answer, columns), ...reasons.map(listed)],
    // Beside stdout, the warnings of the run are on stderr.
    foldedWarnings([...(isReport ? run.warnings : []), ...warnings]).map((warning) =>
      wrap(`Note: ${warning}`, columns),
    ),
    ...sections.map(sentenceLines),
    isReport
      ? sentenceLines({
          title: 'How it was measured',
          terms: [...conditions, ...conditionsOf(run)],
        })
      : [],
  ];
  const text = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${text.join('\n\n')}\n`;
}

function sentenceLines({ title, sentences = [], terms = [] }: Section): string[] {
  const lines = [...sentences, ...terms.map((term) => term.join(': '))].map(listed);
  return lines.length === 0 || title === undefined ? lines : [wrap(`${title}:`, columns), ...lines];
}

function tableLines({ title, brief, names, across, head, rows, below }: ShownTable): string[] {
  // A side of one column is named by the side.
  const sides = across?.slice(1).flatMap(([side, count]) => (count === 1 ? [side] : []));
  const titles = head.map((column, place) => sides?.[place - names] ?? column.title);
  const words = head.flatMap(({ isWord }, place) => (isWord ? [place] : []));
  const cells = rows.map((row) => row.map(cellText));
  // A name is not repeated below itself.
  const table = plainTable(titles, words, cells, names - 1).replaceAll(/ +$/gm, '');
  return [wrap(brief ?? title, columns), table, ...below.map((line) => indented(line, '  '))];
}

function cellText({ text, interval = unknownText }: ShownCell): string {
  return interval === unknownText ? text : `${text} (${interval})`;
}

function listed(text: string): string {
  return indented(text, '- ');
}

/** A wrapped line behind a mark, with its further lines below its text. */
function indented(text: string, mark: '- ' | '  '): string {
  return mark + wrap(text, columns - mark.length).replaceAll('\n', '\n  ');
}
