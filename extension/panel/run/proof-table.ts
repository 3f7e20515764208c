import { digits } from '@cachescope/model/quantity.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { html, type TemplateResult } from 'lit';
import { type Cell, plainTable } from '../charts/plain-table.ts';
import { proofsByDelay, type ProvedDelay } from './proofs-by-delay.ts';

/** The delay proofs of the device, one row for each delay. */
export function proofTable(proofs: readonly DelayProof[]): TemplateResult {
  return plainTable(
    {
      label: 'Measured delay',
      titles: [
        'Requested, ms',
        'Repetitions',
        'Reads',
        'Median, ms',
        '95th percentile, ms',
        'Verdict',
      ],
      caption:
        'Measured delay: direct 4 KiB reads of the device, repeated at each delay. Median of the repetitions, with minimum and maximum; largest 95th percentile.',
    },
    proofsByDelay(proofs).map(row),
  );
}

function row(proved: ProvedDelay): Cell[] {
  const asked = proved.storage === 'none' ? 'control' : digits(proved.requestedDelayMs);
  const name = proved.variant === undefined ? asked : `${asked} (${proved.variant})`;
  const { leastMs, medianMs, greatestMs, greatestP95Ms, off } = proved;
  const range = proved.proofs > 1 ? ` (${digits(leastMs)} to ${digits(greatestMs)})` : '';
  const medians = `${digits(medianMs)}${range}`;
  const verdict =
    off === 0 ? '✓ as requested' : html`<span class="off">⚠ ${off} of ${proved.proofs} off</span>`;
  return [
    name,
    digits(proved.proofs),
    digits(proved.reads),
    medians,
    digits(greatestP95Ms),
    verdict,
  ];
}
