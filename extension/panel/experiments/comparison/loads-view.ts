import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import {
  type ComparedResource,
  compareLoads,
  countMoves,
  type ResourceChange,
  resourceChanges,
} from '@cachescope/model/load/comparison.ts';
import { byteSize, count, counted, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import { html, nothing, type TemplateResult } from 'lit';
import { compareFigures } from './loads-charts.ts';
import { outlinedButton } from '../../buttons.ts';
import { oncePer } from '../../once-per.ts';
import { emptyCompare } from '../../empty-state.ts';
import { figureView } from '../../charts/figure.ts';
import { loadTitle } from '../../loads/list.ts';
import { type PanelState, type ShownLoad, swapPinned, type Update } from '../../panel-state.ts';
import { resourceName, signed } from '../../grid/resource-text.ts';
import { icon } from '../../icon.ts';
import { answerText } from '@cachescope/model/attribution/answer-text.ts';
import { verdictIcon, verdictText } from '../../run/verdict-words.ts';

const changeTitles: Readonly<Record<ResourceChange, string>> = {
  source: 'changed source',
  time: 'changed time',
  size: 'changed size',
  appeared: 'appeared',
  vanished: 'vanished',
};

/** Comparison of two pinned loads: differences in words, as distributions and by resource. */
export function compareView(state: PanelState, update: Update): TemplateResult {
  const { before, after, isDark, comparedChange } = state;
  if (!before || !after) return emptyCompare(state);
  const pairs = pairsWith(before)(after);
  const shown = comparedChange
    ? pairs.filter(({ changes }) => changes.includes(comparedChange))
    : pairs.filter(({ changes }) => changes.length > 0);
  return html`<article class="compare">
    <header>
      <h1>${before.load.url === after.load.url ? after.load.url : 'Two pages'}</h1>
      ${pinnedLine('A', before)} ${pinnedLine('B', after)}
      ${outlinedButton('Swap A and B', () => update(swapPinned))}
    </header>
    <section>
      <h2>What changed from A to B</h2>
      ${sentences(before, after, pairs)}
    </section>
    <div class="figures">
      ${compareFigures(before, after).map((figure) => figureView(figure, [before, after, isDark]))}
    </div>
    <section>
      <h2>By resource</h2>
      ${changeFilter(pairs, comparedChange, update)} ${compareTable(shown)}
    </section>
  </article>`;
}

function pinnedLine(name: string, { load, rows }: ShownLoad): TemplateResult {
  return html`<p class="facts">
    <span><strong>${name}</strong></span
    ><span>${loadTitle(load)}</span><span>${counted(rows.length, 'request')}</span
    ><span>Load: ${milliseconds(load.loadMs)}</span>
  </p>`;
}

function sentences(
  before: ShownLoad,
  after: ShownLoad,
  pairs: readonly ComparedResource[],
): TemplateResult {
  const unchanged = pairs.filter(({ changes }) => changes.length === 0).length;
  return html`<ul>
    ${countMoves(pairs).map(
      ({ from, to, count }) =>
        html`<li>${count} moved from ${answerText(from)} to ${answerText(to)}.</li>`,
    )}
    <li>${loadEvents(before.load.loadMs, after.load.loadMs)}</li>
    <li>
      ${count(unchanged)} of ${counted(pairs.length, 'resource')} are unchanged. One load each: a
      difference in time may be chance.
    </li>
  </ul>`;
}

function loadEvents(before: number | null, after: number | null): string {
  const times = `Load: ${milliseconds(before)} in A, ${milliseconds(after)} in B`;
  if (before === null || after === null) return `${times}.`;
  return `${times} (${signed(after - before, milliseconds)}).`;
}

function changeFilter(
  pairs: readonly ComparedResource[],
  chosen: ResourceChange | null,
  update: Update,
): TemplateResult {
  const button = (change: ResourceChange | null, title: string, count: number) =>
    html`<button
      type="button"
      aria-pressed=${chosen === change ? 'true' : 'false'}
      @click=${() => update((state) => ({ ...state, comparedChange: change }))}
    >
      ${title} ${count}
    </button>`;
  const changed = pairs.filter(({ changes }) => changes.length > 0).length;
  return html`<div class="types" role="group" aria-label="Kind of change">
    ${button(null, 'all changes', changed)}
    ${resourceChanges.map((change) => {
      const count = pairs.filter(({ changes }) => changes.includes(change)).length;
      return count === 0 ? nothing : button(change, changeTitles[change], count);
    })}
  </div>`;
}

/** The resources of both loads in pairs; kept, because the view is drawn many times. */
const pairsWith = oncePer(({ rows }: ShownLoad) =>
  oncePer((after: ShownLoad) => compareLoads(rows, after.rows)),
);

/** Maximum number of rows; the filter above the table reaches the others. */
const mostLines = 500;

/** The differences, one row for each resource. */
function compareTable(pairs: readonly ComparedResource[]): TemplateResult {
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
