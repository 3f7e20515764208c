import { html, nothing, type TemplateResult } from 'lit';

/** The texts of a table besides its rows. */
export interface TableWords {
  /** Accessible name of the table. */
  label: string;
  titles: readonly string[];
  /** Absent: the heading above the table says enough. */
  caption?: string;
  /** Indexes of text columns, which are left-aligned; the first column always is one. */
  words?: readonly number[];
}

/**
 * A table with a label, which scrolls sideways when it is wider than the panel. The first cell of a row
 * is its header.
 */
export function plainTable(
  { label, titles, caption, words = [] }: TableWords,
  rows: readonly (readonly (string | TemplateResult)[])[],
): TemplateResult {
  const kind = (column: number) => (column === 0 || words.includes(column) ? 'word' : '');
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table>
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              <span>${caption}</span>
            </caption>`
      }
      <thead>
        <tr>
          ${titles.map((title, column) => html`<th scope="col" class=${kind(column)}>${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, ...cells]) =>
            html`<tr>
              <th scope="row" class="word">${name}</th>
              ${cells.map((cell, index) => html`<td class=${kind(index + 1)}>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Like plainTable, with the first `wordColumns` columns as text columns. */
export function table(
  label: string,
  caption: string,
  titles: readonly string[],
  wordColumns: number,
  rows: readonly (readonly (string | TemplateResult)[])[],
): TemplateResult {
  const words = Array.from({ length: wordColumns }, (_, column) => column);
  return plainTable({ label, titles, caption, words }, rows);
}
