import { digits } from '@cachescope/model/quantity.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { html, type TemplateResult } from 'lit';

const columns = ['Asked, ms', 'When', 'Reads', 'Median, ms', '95th percentile, ms', 'Verdict'];

/** Every proof of the device's delay, in the order taken. */
export function proofTable(proofs: readonly DelayProof[]): TemplateResult {
  return html`<div class="scroll" role="region" aria-label="Proofs of the delay" tabindex="0">
    <table>
      <caption>
        <span>Proofs of the delay: direct 4 KiB reads of the device.</span>
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${proofs.map(row)}
      </tbody>
    </table>
  </div>`;
}

function row(proof: DelayProof): TemplateResult {
  const asked = proof.storage === 'none' ? 'control' : digits(proof.requestedDelayMs);
  const values = [proof.when, digits(proof.reads), digits(proof.p50Ms), digits(proof.p95Ms)];
  return html`<tr>
    <th scope="row">${asked}</th>
    ${values.map((value) => html`<td>${value}</td>`)}
    <td class=${proof.off ? 'off' : ''}>${proof.off ? '⚠ off' : '✓ as asked'}</td>
  </tr>`;
}
