import type { AttributedResource } from '@cachescope/model/attribution/attributed-resource.ts';
import { requestDurationMs } from '@cachescope/model/attribution/resource-timing.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import type { TemplateResult } from 'lit';
import { html } from '../marked-html.ts';
import { loadPhases, type Phase, whyNoPhases } from './phase.ts';
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
  const totalMs = requestDurationMs(timing);
  return html`<p class="queued">
      Started at ${milliseconds(row.resource.startMs)} of the load. Total ${milliseconds(totalMs)}.
    </p>
    ${
      phases.length === 0
        ? html`<p class="hint">${whyNoPhases(timing, row.attribution)}</p>`
        : phaseTable(phases, totalMs)
    }`;
}

function phaseTable(phases: readonly Phase[], totalMs: number | null): TemplateResult {
  const share = (ms: number): number => (totalMs ? (100 * ms) / totalMs : 0);
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
