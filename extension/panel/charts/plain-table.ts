import { html, type TemplateResult } from 'lit';

/** The words of a table around its rows. */
export interface TableWords {
  /** Names the table for those who do not see it. */
  label: string;
  titles: readonly string[];
  caption: string;
  /** Columns of words, which begin at the left; the first always is one. */
  words?: readonly number[];
}

/** A table with a name and a caption, which scrolls where it is wider than the panel. The first cell names its row. */
export function plainTable(
  { label, titles, caption, words = [] }: TableWords,
  rows: readonly (readonly (string | TemplateResult)[])[],
): TemplateResult {
  const kind = (column: number) => (column === 0 || words.includes(column) ? 'word' : '');
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table>
      <caption>
        <span>${caption}</span>
      </caption>
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

/** The same, of which the first so many columns are words. */
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
