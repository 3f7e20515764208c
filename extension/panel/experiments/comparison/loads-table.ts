import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import type { ComparedResource } from '@cachescope/model/load/comparison.ts';
import { byteSize, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../../icon.ts';
import { resourceName, signed } from '../../grid/resource-text.ts';
import { verdictIcon, verdictText } from '../../run/verdict-words.ts';

/** Maximum number of rows; the filter above the table reaches the others. */
const mostLines = 500;

/** The differences, one row for each resource. */
export function compareTable(pairs: readonly ComparedResource[]): TemplateResult {
  if (pairs.length === 0) return html`<p class="hint">Nothing of this kind changed.</p>`;
  return html`<div class="scroll" role="region" aria-label="By resource" tabindex="0">
      <table class="compared">
        <thead>
          <tr>
            ${[
              'Name',
              'Source in A',
              'Source in B',
              'Transferred',
              'Time in A',
              'Time in B',
              'Change',
            ].map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${pairs.slice(0, mostLines).map(line)}
        </tbody>
      </table>
    </div>
    ${
      pairs.length > mostLines
        ? html`<p class="hint">${pairs.length - mostLines} more are not drawn.</p>`
        : nothing
    }`;
}

function line({ url, before, after, changes, durationMs, transferredBytes }: ComparedResource) {
  const isTime = changes.includes('time');
  return html`<tr>
    <th scope="row" title=${url.slice(0, 2000)}><span class="text">${resourceName(url)}</span></th>
    <td>${verdict(before)}</td>
    <td>${verdict(after)}</td>
    <td>${signed(transferredBytes, byteSize)}</td>
    <td>${before ? milliseconds(before.resource.durationMs) : unknownText}</td>
    <td>${after ? milliseconds(after.resource.durationMs) : unknownText}</td>
    <td class=${isTime && durationMs !== null ? (durationMs > 0 ? 'slower' : 'faster') : ''}>
      ${signed(durationMs, milliseconds)}
    </td>
  </tr>`;
}

function verdict(row: AttributedResource | null): TemplateResult {
  if (!row) return html`<span class="hint">not in this load</span>`;
  return html`<span class="with-icon"
    >${icon(verdictIcon(row.attribution))}<span>${verdictText(row.attribution)}</span></span
  >`;
}
