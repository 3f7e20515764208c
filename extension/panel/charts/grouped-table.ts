import { html, nothing, type TemplateResult } from 'lit';
import { type Cell, tableFrame } from './plain-table.ts';

/** A group of columns under one title. */
export type ColumnGroup = readonly [title: string, columns: readonly string[]];

/** A row: the cells of each group. The first cell of the first group is its header. */
export interface GroupedRow {
  groups: readonly (readonly Cell[])[];
  /** The row is set apart from those below it. */
  isControl?: boolean;
}

/** A table with groups of columns. `last` is a row with one cell for each group; absent: none. */
export function groupedTable(
  label: string,
  caption: string,
  groups: readonly ColumnGroup[],
  rows: readonly GroupedRow[],
  last?: readonly Cell[],
): TemplateResult {
  return tableFrame(
    { label, caption },
    html`<thead>
        <tr>
          ${groups.map(
            ([title, columns]) =>
              html`<th scope="colgroup" colspan=${columns.length} class="group">${title}</th>`,
          )}
        </tr>
        <tr>
          ${groups.map(([, columns]) =>
            columns.map(
              (column, index) => html`<th scope="col" class=${edge(index)}>${column}</th>`,
            ),
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(row)} ${last ? lastRow(groups, last) : nothing}
      </tbody>`,
  );
}

/** A line separates each group from the one before it. */
function edge(index: number): string {
  return index === 0 ? 'group' : '';
}

function row({ groups, isControl = false }: GroupedRow): TemplateResult {
  return html`<tr class=${isControl ? 'control' : ''}>
    ${groups.map((cells, place) =>
      cells.map((cell, index) =>
        place === 0 && index === 0
          ? html`<th scope="row">${cell}</th>`
          : html`<td class=${edge(index)}>${cell}</td>`,
      ),
    )}
  </tr>`;
}

function lastRow(groups: readonly ColumnGroup[], [name, ...cells]: readonly Cell[]) {
  return html`<tr>
    <th scope="row">${name}</th>
    ${cells.map(
      (cell, index) =>
        html`<td class="group" colspan=${groups[index + 1]?.[1].length ?? 1}>${cell}</td>`,
    )}
  </tr>`;
}
