import { digits } from '@cachescope/model/quantity.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { html, type TemplateResult } from 'lit';
import { proofsByDelay, type ProvedDelay } from './proofs-by-delay.ts';

const columns = ['Asked, ms', 'Proofs', 'Reads', 'Median, ms', '95th percentile, ms', 'Verdict'];

/** The delay proofs of the device, one row for each delay. */
export function proofTable(proofs: readonly DelayProof[]): TemplateResult {
  return html`<div class="scroll" role="region" aria-label="Proofs of the delay" tabindex="0">
    <table>
      <caption>
        <span
          >Proofs of the delay: direct 4 KiB reads of the device. Median of the proofs, with the
          least and the greatest; greatest 95th percentile.</span
        >
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${proofsByDelay(proofs).map(row)}
      </tbody>
    </table>
  </div>`;
}

function row(proved: ProvedDelay): TemplateResult {
  const asked = proved.storage === 'none' ? 'control' : digits(proved.requestedDelayMs);
  const name = proved.variant === undefined ? asked : `${asked} (${proved.variant})`;
  const { leastMs, medianMs, greatestMs, greatestP95Ms, off } = proved;
  const range = proved.proofs > 1 ? ` (${digits(leastMs)} to ${digits(greatestMs)})` : '';
  const medians = `${digits(medianMs)}${range}`;
  const values = [digits(proved.proofs), digits(proved.reads), medians, digits(greatestP95Ms)];
  const verdict = off === 0 ? '✓ as asked' : `⚠ ${off} of ${proved.proofs} off`;
  return html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value) => html`<td>${value}</td>`)}
    <td class=${off > 0 ? 'off' : ''}>${verdict}</td>
  </tr>`;
}
