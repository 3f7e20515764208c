import { type Coding, codingLabels } from '@cachescope/model/coding.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { element } from './element.ts';

/** A value with its interval, both ms. */
interface Spread {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

/** The table of all points: what was asked of the device, what it did, and what each arm took. */
export function pointTable(summary: SweepSummary): HTMLElement {
  const arms = summary.fits.map((fit) => fit.arm);
  const gaps = summary.points[0]?.gaps ?? [];
  const table = element(
    'table',
    {},
    element(
      'caption',
      {},
      element(
        'span',
        {},
        'Medians with 95 % bootstrap intervals below them. A dash means unknown: too few samples, or device counters that could not be read or that other programs share.',
      ),
    ),
    head(
      arms,
      gaps.map((gap) => `${codingLabels[gap.arm]} − ${codingLabels[gap.baseline]}`),
    ),
    element('tbody', {}, ...summary.points.map((point) => row(point, arms))),
  );
  // Scrolls sideways on its own in a narrow panel, by keyboard too.
  return element(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': 'Each point', tabindex: '0' },
    table,
  );
}

function head(arms: readonly Coding[], gaps: readonly string[]): HTMLElement {
  const labels = arms.map((arm) => codingLabels[arm]);
  const groups: [title: string, columns: readonly string[]][] = [
    ['Delay, ms', ['asked', 'measured']],
    ['Read time, ms', labels],
    ['Gap, ms', gaps],
    ['Device reads', labels],
    ['From the device', labels],
    ['Samples', ['used', 'flagged']],
  ];
  const shown = groups.filter(([, columns]) => columns.length > 0);
  return element(
    'thead',
    {},
    element(
      'tr',
      {},
      ...shown.map(([title, columns]) =>
        element(
          'th',
          { scope: 'colgroup', colspan: String(columns.length), class: 'group' },
          title,
        ),
      ),
    ),
    element(
      'tr',
      {},
      ...shown.flatMap(([, columns]) =>
        columns.map((column, index) => cell('th', index === 0, { scope: 'col' }, column)),
      ),
    ),
  );
}

function row(point: SweepPoint, arms: readonly Coding[]): HTMLElement {
  const cells = arms.map((arm) => point.arms.find((candidate) => candidate.arm === arm));
  const groups: Node[][] = [
    [measuredDelay(point)],
    cells.map((arm) =>
      spread({ ms: arm?.medianMs ?? null, lowMs: arm?.lowMs ?? null, highMs: arm?.highMs ?? null }),
    ),
    point.gaps.map(spread),
    cells.map((arm) => text(digits(arm?.deviceReads ?? null))),
    cells.map((arm) => text(byteSize(arm?.deviceReadBytes ?? null))),
    [text(sum(cells.map((arm) => arm?.samples))), text(sum(cells.map((arm) => arm?.flagged)))],
  ];
  return element(
    'tr',
    point.storage === 'none' ? { class: 'control' } : {},
    element('th', { scope: 'row' }, askedDelay(point)),
    ...groups.flatMap((group, place) =>
      group.map((content, index) => cell('td', index === 0 && place > 0, {}, content)),
    ),
  );
}

function cell(
  tag: 'td' | 'th',
  startsGroup: boolean,
  attributes: Record<string, string>,
  content: Node | string,
): HTMLElement {
  return element(tag, startsGroup ? { ...attributes, class: 'group' } : attributes, content);
}

function text(value: string): Node {
  return document.createTextNode(value);
}

function sum(counts: readonly (number | undefined)[]): string {
  return digits(counts.reduce<number>((total, count) => total + (count ?? 0), 0));
}

function askedDelay({ storage, requestedDelayMs }: SweepPoint): string {
  return storage === 'none' ? 'control' : digits(requestedDelayMs);
}

function measuredDelay({ measuredDelayMs, delayOff }: SweepPoint): Node {
  const value = digits(measuredDelayMs?.p50 ?? null);
  if (!delayOff) return text(value);
  const why = 'Off by more than max(1 ms, 20 %) of the delay asked for';
  return element(
    'span',
    { class: 'off', title: why },
    '⚠ ',
    value,
    element('span', { class: 'unseen' }, ` (${why})`),
  );
}

function spread({ ms, lowMs, highMs }: Spread): Node {
  const interval =
    lowMs === null || highMs === null ? unknownText : `${digits(lowMs)} to ${digits(highMs)}`;
  return element('span', {}, digits(ms), element('small', {}, interval));
}
