import { digits } from '@cachescope/model/quantity.ts';
import type { DelayProof } from '@cachescope/model/run.ts';
import { element } from './element.ts';

const columns = ['Asked, ms', 'When', 'Reads', 'Median, ms', '95th percentile, ms', 'Verdict'];

/** Every proof of the device's delay, in the order taken. */
export function proofTable(proofs: readonly DelayProof[]): HTMLElement {
  const head = columns.map((column) => element('th', { scope: 'col' }, column));
  const table = element(
    'table',
    {},
    element(
      'caption',
      {},
      element('span', {}, 'Proofs of the delay: direct 4 KiB reads of the device.'),
    ),
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...proofs.map(row)),
  );
  const region = { class: 'scroll', role: 'region', 'aria-label': 'Proofs of the delay' };
  return element('div', { ...region, tabindex: '0' }, table);
}

function row(proof: DelayProof): HTMLElement {
  const asked = proof.storage === 'none' ? 'control' : digits(proof.requestedDelayMs);
  const values = [proof.when, digits(proof.reads), digits(proof.p50Ms), digits(proof.p95Ms)];
  return element(
    'tr',
    {},
    element('th', { scope: 'row' }, asked),
    ...values.map((value) => element('td', {}, value)),
    element('td', proof.off ? { class: 'off' } : {}, proof.off ? '⚠ off' : '✓ as asked'),
  );
}
