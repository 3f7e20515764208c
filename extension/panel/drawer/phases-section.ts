import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';
import { html, type TemplateResult } from 'lit';
import { loadPhases, type Phase } from './phase.ts';
import { tableHead } from './table-head.ts';

/** Duration of each phase, in the terms of DevTools. */
export function phasesSection(row: AttributedResource): TemplateResult {
  const timing = row.resource.evidence.page?.timing;
  if (!timing) {
    return html`<p class="hint">
      No phases: the browser wrote no Resource Timing entry for this use.
    </p>`;
  }
  const phases = loadPhases(timing, row.attribution);
  return html`<p class="queued">
      Started at ${milliseconds(row.resource.startMs)} of the load. Total
      ${milliseconds(timing.duration)}.
    </p>
    ${phases.length === 0 ? withoutPhases(timing) : phaseTable(phases, timing.duration)}`;
}

function withoutPhases({ duration }: ResourceTiming): TemplateResult {
  return duration === 0
    ? html`<p class="hint">
        No phases: it was in the renderer’s memory and took no time that the clock can show.
      </p>`
    : html`<p class="hint">
        Only the total is known: a cross-origin response without Timing-Allow-Origin hides its
        phases.
      </p>`;
}

function phaseTable(phases: readonly Phase[], totalMs: number): TemplateResult {
  const share = (ms: number): number => (totalMs > 0 ? (100 * ms) / totalMs : 0);
  return html`<table class="phases">
    ${tableHead(['Phase', html`<span class="unseen">When</span>`], ['Duration'])}
    <tbody>
      ${phases.map(
        ({ id, title, says, startMs, durationMs }) =>
          html`<tr title=${says}>
            <th scope="row">${title}</th>
            <td>
              <span class="track"
                ><span
                  class="phase ${id}"
                  .style=${`left: ${share(startMs)}%; width: max(1px, ${share(durationMs)}%)`}
                ></span
              ></span>
            </td>
            <td class="number">${milliseconds(durationMs)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th scope="row">Total</th>
        <td></td>
        <td class="number">${milliseconds(totalMs)}</td>
      </tr>
    </tfoot>
  </table>`;
}
