import type { ShownCell, ShownTable } from '@cachescope/model/page/table.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { tableFrame } from '../charts/plain-table.ts';

/** From this number of characters on a text is wrapped. */
const longText = 40;

/** A declared table. Every cell that names a row is a header of it. */
export function tableView(shown: ShownTable): TemplateResult {
  const { title, caption, names, across, head, rows, below } = shown;
  const edges = edgesOf(across ?? []);
  const kind = (column: number, isWord = false) =>
    [isWord ? 'word' : '', edges.has(column) ? 'group' : ''].join(' ').trim();
  const cell = (content: ShownCell, column: number) => {
    if (column < names) return html`<th scope="row" class="word">${content.text}</th>`;
    const long = content.text.length > longText ? ' long' : '';
    const kinds = `${kind(column, head[column]?.isWord)}${long}`;
    return html`<td class=${kinds}>${cellContent(content)}</td>`;
  };
  return html`${tableFrame(
    { label: title, ...(caption !== undefined && { caption }) },
    html`<thead>
        ${across ? acrossRow(across) : nothing}
        <tr>
          ${head.map(
            (each, column) =>
              html`<th scope="col" class=${kind(column, each.isWord)}>${each.title}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map(cell)}
            </tr>`,
        )}
      </tbody>`,
  )}
  ${
    below.length > 0
      ? html`<ul>
          ${below.map((line) => html`<li>${line}</li>`)}
        </ul>`
      : nothing
  }`;
}

type Across = NonNullable<ShownTable['across']>;

/** Above the names is no header but a cell: accessibility checkers refuse an empty header. */
function acrossRow(across: Across): TemplateResult {
  return html`<tr>
    ${across.map(([title, columns]) =>
      title === ''
        ? html`<td colspan=${columns} class="group"></td>`
        : html`<th scope="colgroup" colspan=${columns} class="group">${title}</th>`,
    )}
  </tr>`;
}

/** The first column of each side: a line separates it from the side before it. */
function edgesOf(across: Across): Set<number> {
  let place = 0;
  return new Set(
    across.map(([, columns]) => {
      const edge = place;
      place += columns;
      return edge;
    }),
  );
}

function cellContent({ text, interval, note }: ShownCell): TemplateResult | string {
  const shown =
    interval === undefined ? text : html`<span>${text}<small>${interval}</small></span>`;
  return note === undefined ? shown : html`<span title=${note}>${shown}</span>`;
}
