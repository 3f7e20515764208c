import { filterKeys, filterSuggestions } from '@cachescope/model/load/filter-key.ts';
import type { ResourceType } from '@cachescope/model/load/load.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../icon.ts';
import { filterBy, type PanelState, type Update } from '../panel-state.ts';
import { iconButton } from '../buttons.ts';
import { takeKey } from '../panel-events.ts';
import { visibleRows } from './visible-rows.ts';

/** Resource types as DevTools groups and names them. */
const typeButtons: readonly { title: string; says: string; types: readonly ResourceType[] }[] = [
  { title: 'All', says: 'All', types: [] },
  { title: 'Fetch/XHR', says: 'Fetch and XHR', types: ['fetch'] },
  { title: 'Doc', says: 'Document', types: ['document'] },
  { title: 'CSS', says: 'Stylesheet', types: ['stylesheet'] },
  { title: 'JS', says: 'JavaScript', types: ['script'] },
  { title: 'Font', says: 'Font', types: ['font'] },
  { title: 'Img', says: 'Image', types: ['image'] },
  { title: 'Media', says: 'Media', types: ['media'] },
  { title: 'Manifest', says: 'Manifest', types: ['manifest'] },
  { title: 'Socket', says: 'WebSocket', types: ['websocket'] },
  { title: 'Wasm', says: 'WebAssembly', types: ['wasm'] },
  { title: 'Other', says: 'Other', types: ['other'] },
];

/** Filter text, Invert and the types. Errors in the text are shown below. */
export function filterBar(state: PanelState, update: Update): TemplateResult {
  const { filter } = state;
  const { problems } = visibleRows(state);
  return html`<div class="filter-bar" role="search" aria-label="Filter">
      <span class="filter-input">
        ${icon('filter')}
        <input
          id="filter"
          type="search"
          placeholder="Filter"
          aria-label="Filter (Ctrl+F)"
          title=${`Text, /regular expression/, or ${Object.keys(filterKeys).join(':, ')}:\n"-" excludes what matches: -domain:cdn.example`}
          aria-invalid=${problems.length > 0 ? 'true' : 'false'}
          aria-describedby=${problems.length > 0 ? 'filter-problems' : nothing}
          autocomplete="off"
          list="filter-suggestions"
          spellcheck="false"
          .value=${filter.text}
          @input=${(event: Event) =>
            update(filterBy({ text: (event.currentTarget as HTMLInputElement).value }))}
          @keydown=${(event: KeyboardEvent) => {
            if (event.key !== 'Escape' || filter.text === '') return;
            takeKey(event);
            update(filterBy({ text: '' }));
          }}
        />
        <datalist id="filter-suggestions">
          ${filterSuggestions(filter.text).map((each) => html`<option value=${each}></option>`)}
        </datalist>
      </span>
      <label class="check" title="Inverts the filter"
        ><input
          type="checkbox"
          .checked=${filter.isInverted}
          @change=${() => update(filterBy({ isInverted: !filter.isInverted }))}
        />Invert</label
      >
      <span class="divider"></span>
      <div class="types" role="group" aria-label="Resource types">
        ${typeButtons.map((button) => typeButton(button, filter.types, update))}
      </div>
      <span class="stretch"></span>
      ${iconButton('gear', 'Choose columns', () =>
        document.querySelector<HTMLDialogElement>('#columns')?.showModal(),
      )}
    </div>
    ${
      problems.length > 0
        ? html`<p class="filter-problems" id="filter-problems" role="alert">
            ${icon('warning')}<span>Not filtered. ${problems.join('. ')}.</span>
          </p>`
        : nothing
    }`;
}

function typeButton(
  { title, says, types }: (typeof typeButtons)[number],
  chosen: readonly ResourceType[],
  update: Update,
): TemplateResult {
  const isOn =
    types.length === 0 ? chosen.length === 0 : types.some((type) => chosen.includes(type));
  return html`<button
    type="button"
    aria-pressed=${isOn ? 'true' : 'false'}
    title=${says}
    @click=${(event: MouseEvent) => {
      const adds = (event.ctrlKey || event.metaKey) && types.length > 0;
      const others = chosen.filter((type) => !types.includes(type));
      update(filterBy({ types: adds ? (isOn ? others : [...others, ...types]) : types }));
    }}
  >
    ${title}
  </button>`;
}
