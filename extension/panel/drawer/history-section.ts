import type { Resource } from '@cachescope/model/load/load.ts';
import { byteSize, count, counted, milliseconds } from '@cachescope/model/quantity.ts';
import { nothing, type TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import type { Commands } from '../commands.ts';
import { icon } from '../icon.ts';
import { loadTitle } from '../loads/list.ts';
import type { PastUse, UrlHistory } from './lookup.ts';
import { tableHead } from './table-head.ts';
import { verdictIcon, verdictText } from '../run/verdict-words.ts';

/** The drawer is drawn again with each scroll of the grid. */
const mostUses = 500;

/** Sources of this URL in the stored loads. */
export function historySection(
  { url }: Resource,
  history: UrlHistory | null,
  commands: Commands,
): TemplateResult {
  if (history?.url !== url) {
    return html`<p class="hint">Looking through the loads…</p>`;
  }
  const { uses, searched, stored } = history;
  const all = counted(stored, 'load');
  const among = searched < stored ? `the newest ${count(searched)} of ${all}` : all;
  return html`<p class="hint">${counted(uses.length, 'use')} in ${among}.</p>
    <table class="history">
      ${tableHead(['Load', 'Source'], ['Transferred', 'Time'])}
      <tbody>
        ${uses.slice(0, mostUses).map((use) => useRow(use, commands))}
      </tbody>
    </table>
    ${
      uses.length > mostUses
        ? html`<p class="hint">${counted(uses.length - mostUses, 'further use')} not listed.</p>`
        : nothing
    }`;
}

function useRow({ load, row }: PastUse, commands: Commands): TemplateResult {
  return html`<tr>
    <th scope="row">
      <button type="button" class="link" @click=${() => commands.showLoad(load.id)}>
        ${loadTitle(load)}
      </button>
    </th>
    <td>
      <span class="with-icon"
        >${icon(verdictIcon(row.attribution))}<span>${verdictText(row.attribution)}</span></span
      >
    </td>
    <td class="number">${byteSize(row.resource.transferredBytes)}</td>
    <td class="number">${milliseconds(row.resource.durationMs)}</td>
  </tr>`;
}
