import { html, nothing, type TemplateResult } from 'lit';

/** The content of one cell. */
export type Cell = TemplateResult | string;

/** The texts of a table besides its rows. */
export interface TableWords {
  /** Accessible name of the table. */
  label: string;
  titles: readonly string[];
  /** Absent: the heading above the table says enough. */
  caption?: string;
  /** Indexes of text columns, which are left-aligned; the first column always is one. */
  words?: readonly number[];
  /** True: only as wide as its content, because values far from their names are hard to read across. */
  isNarrow?: boolean;
  /** True: rows with the same first cell share it. */
  sharesNames?: boolean;
}

/** A table with a label, which scrolls sideways when it is wider than the panel, also by keyboard. */
export function tableFrame(
  { label, caption, isNarrow = false }: Pick<TableWords, 'label' | 'caption' | 'isNarrow'>,
  content: TemplateResult,
): TemplateResult {
  return html`<div
    class="scroll ${isNarrow ? 'narrow' : ''}"
    role="region"
    aria-label=${label}
    tabindex="0"
  >
    <table>
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              <span>${caption}</span>
            </caption>`
      }
      ${content}
    </table>
  </div>`;
}

/** A table whose rows begin with their header. */
export function plainTable(words: TableWords, rows: readonly (readonly Cell[])[]): TemplateResult {
  const { titles, words: textColumns = [], sharesNames = false } = words;
  const kind = (column: number) => (column === 0 || textColumns.includes(column) ? 'word' : '');
  const bodies = sharesNames ? [...Map.groupBy(rows, ([name]) => name).values()] : [rows];
  const nameOf = (name: Cell | undefined, place: number, own: readonly unknown[]) => {
    if (!sharesNames) return html`<th scope="row" class="word">${name}</th>`;
    return place === 0
      ? html`<th scope="rowgroup" class="word" rowspan=${own.length}>${name}</th>`
      : nothing;
  };
  return tableFrame(
    words,
    html`<thead>
        <tr>
          ${titles.map((title, column) => html`<th scope="col" class=${kind(column)}>${title}</th>`)}
        </tr>
      </thead>
      ${bodies.map(
        (own) =>
          html`<tbody>
            ${own.map(
              ([name, ...cells], place) =>
                html`<tr>
                  ${nameOf(name, place, own)}
                  ${cells.map((cell, index) => html`<td class=${kind(index + 1)}>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>`,
      )}`,
  );
}

/** Like plainTable, with the first `wordColumns` columns as text columns. */
export function table(
  label: string,
  caption: string,
  titles: readonly string[],
  wordColumns: number,
  rows: readonly (readonly Cell[])[],
): TemplateResult {
  return plainTable({ label, titles, caption, words: firstColumns(wordColumns) }, rows);
}

/** The indexes of the first columns. */
function firstColumns(count: number): number[] {
  return Array.from({ length: count }, (_, column) => column);
}
