import { digits, milliseconds, unknownText } from '@cachescope/model/quantity.ts';
import { type StoredForm, storedForms, type WhatIf } from '@cachescope/model/explain/what-if.ts';
import { plainTable } from '../../results/plain-table.ts';
import { wrap } from '../../results/wrap.ts';

const columns: Readonly<Record<StoredForm, string>> = {
  decoded: 'today',
  recompressed: 'rec.',
  br: 'Brotli',
  gzip: 'Gzip',
  zstd: 'Zstd',
  'dcb in turn': 'DCB *',
  'dcb at once': 'DCB **',
};

/** A median, marked when it is faster (-) or slower (+) than the form stored today, or the same (=). */
function marked({ medianMs, verdict }: WhatIf): string {
  const mark =
    verdict === null || verdict.outcome === 'UNKNOWN'
      ? ' '
      : verdict.outcome === 'SAME'
        ? '='
        : verdict.direction === 'greater'
          ? '+'
          : '-';
  return `${digits(medianMs)} ${mark}`;
}

/** The table of the read time in each stored form, by workload and delay. Empty with fewer than two forms. */
export function whatIfText(whatIfs: readonly WhatIf[]): string[] {
  const forms = storedForms.filter((form) => whatIfs.some((each) => each.form === form));
  if (forms.length < 2) return [];
  const head = ['workload', 'delay', ...forms.map((form) => columns[form])];
  const rows = [...Map.groupBy(whatIfs, (each) => each.workload)].flatMap(([workload, own]) => {
    const points = Map.groupBy(own, (each) => `${each.storage} ${each.requestedDelayMs}`);
    return [...points.values()].flatMap((at) => {
      const [first] = at;
      if (!first) return [];
      const cells = forms.map((form) => {
        const cell = at.find((each) => each.form === form);
        return cell ? marked(cell) : unknownText;
      });
      const delay = first.storage === 'none' ? 'control' : milliseconds(first.requestedDelayMs);
      return [[workload, delay, ...cells]];
    });
  });
  const emulated = forms.some((form) => form.startsWith('dcb'));
  return [
    '',
    'Time of a hit by the form in which the same bytes are stored, ms',
    '',
    plainTable(head, 1, rows, 1),
    '',
    wrap(
      `Compared with today: - faster, + slower, = the same within 2 %, nothing: undecided.${
        forms.includes('recompressed') ? ' rec.: DCB that Chromium itself recompressed.' : ''
      }${
        emulated
          ? ' * and ** are emulated: the read of an entry as large as the DCB body, the read of its dictionary, and its decoding, each measured; * one read after the other, ** both at the same time.'
          : ''
      }`,
      80,
    ),
  ];
}
