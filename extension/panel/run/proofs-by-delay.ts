import { greatest, least } from '@cachescope/model/extremes.ts';
import { digits } from '@cachescope/model/quantity.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { html, type TemplateResult } from 'lit';
import { type Cell, plainTable } from '../charts/plain-table.ts';

/** All proofs of one delay on one disk. */
export interface ProvedDelay {
  storage: DelayProof['storage'];
  /** Absent in a run without variants. */
  variant?: string | undefined;
  /** Requested delay per read, ms. */
  requestedDelayMs: number;
  proofs: number;
  /** Number of direct 4 KiB reads in all proofs. */
  reads: number;
  /** Minimum, median and maximum of the proofs' medians, ms. */
  leastMs: number;
  medianMs: number;
  greatestMs: number;
  /** Greatest 95th percentile of all proofs, ms. */
  greatestP95Ms: number;
  /** Number of proofs whose median is outside tolerance. */
  off: number;
}

/** The proofs of a run by delay: the control first, then in ascending order. */
export function proofsByDelay(proofs: readonly DelayProof[]): ProvedDelay[] {
  const alike = Map.groupBy(proofs, ({ storage, variant, requestedDelayMs }) =>
    JSON.stringify([storage, variant, requestedDelayMs]),
  );
  const rank = ({ storage, requestedDelayMs }: ProvedDelay) =>
    storage === 'none' ? -1 : requestedDelayMs;
  return [...alike.values()].flatMap(provedDelay).toSorted((one, other) => rank(one) - rank(other));
}

function provedDelay(proofs: readonly DelayProof[]): ProvedDelay[] {
  const [first] = proofs;
  if (!first) return [];
  const { storage, variant, requestedDelayMs } = first;
  const mediansMs = proofs.map(({ p50Ms }) => p50Ms);
  return [
    {
      storage,
      variant,
      requestedDelayMs,
      proofs: proofs.length,
      reads: proofs.reduce((sum, { reads }) => sum + reads, 0),
      leastMs: least(mediansMs),
      medianMs: median(mediansMs) ?? first.p50Ms,
      greatestMs: greatest(mediansMs),
      greatestP95Ms: greatest(proofs.map(({ p95Ms }) => p95Ms)),
      off: proofs.filter(({ off }) => off).length,
    },
  ];
}

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
