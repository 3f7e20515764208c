import { html, nothing, type TemplateResult } from 'lit';
import { columns } from './columns.ts';
import { type ColumnId, defaultSettings } from '../panel-settings.ts';
import { type Change, changeSettings, type PanelState, type Update } from '../panel-state.ts';

/** The dialog that chooses the columns of the grid. Opened by a right click on a header, or from the toolbar. */
export function columnDialog({ settings }: PanelState, update: Update): TemplateResult {
  return html`<dialog
    id="columns"
    aria-labelledby="columns-title"
    closedby="any"
    @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && event.stopPropagation()}
  >
    <form method="dialog">
      <h2 id="columns-title">Columns</h2>
      ${columns.map(({ id, title, says }) =>
        id === 'name'
          ? nothing
          : html`<label title=${says}
              ><input
                type="checkbox"
                name=${id}
                .checked=${!settings.hidden.includes(id)}
                @change=${() => update(toggle(id))}
              />${title}</label
            >`,
      )}
      <p class="hint">
        Of these, the columns that fit are shown; with the details open only Name, Source and Time.
      </p>
      <div class="buttons">
        <button
          type="button"
          @click=${() => update(changeSettings({ hidden: defaultSettings.hidden, widths: {} }))}
        >
          Reset
        </button>
        <button class="primary">Done</button>
      </div>
    </form>
  </dialog>`;
}

function toggle(column: ColumnId): Change {
  return (state) => {
    const { hidden } = state.settings;
    const rest = hidden.filter((id) => id !== column);
    return changeSettings({ hidden: rest.length < hidden.length ? rest : [...hidden, column] })(
      state,
    );
  };
}
