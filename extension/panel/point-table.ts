import { type Coding, codingLabels } from '@cachescope/model/coding.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { html, type TemplateResult } from 'lit';

/** A value with its interval, both ms. */
interface Spread {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

type Cell = TemplateResult | string;

/** The table of all points: what was asked of the device, what it did, and what each arm took. */
export function pointTable(summary: SweepSummary): TemplateResult {
  const arms = summary.fits.map((fit) => fit.arm);
  const gaps = (summary.points[0]?.gaps ?? []).map(
    (gap) => `${codingLabels[gap.arm]} − ${codingLabels[gap.baseline]}`,
  );
  // Scrolls sideways on its own in a narrow panel, by keyboard too.
  return html`<div class="scroll" role="region" aria-label="Each point" tabindex="0">
    <table>
      <caption>
        <span
          >Medians with 95 % bootstrap intervals below them. A dash means unknown: too few samples,
          or device counters that could not be read or that other programs share.</span
        >
      </caption>
      ${head(arms, gaps)}
      <tbody>
        ${summary.points.map((point) => row(point, arms))}
      </tbody>
    </table>
  </div>`;
}

function head(arms: readonly Coding[], gaps: readonly string[]): TemplateResult {
  const labels = arms.map((arm) => codingLabels[arm]);
  const all: [title: string, columns: readonly string[]][] = [
    ['Delay, ms', ['asked', 'measured']],
    ['Read time, ms', labels],
    ['Gap, ms', gaps],
    ['Device reads', labels],
    ['From the device', labels],
    ['Samples', ['used', 'flagged']],
  ];
  const groups = all.filter(([, columns]) => columns.length > 0);
  return html`<thead>
    <tr>
      ${groups.map(
        ([title, columns]) =>
          html`<th scope="colgroup" colspan=${columns.length} class="group">${title}</th>`,
      )}
    </tr>
    <tr>
      ${groups.map(([, columns]) =>
        columns.map(
          (column, index) =>
            html`<th scope="col" class=${index === 0 ? 'group' : ''}>${column}</th>`,
        ),
      )}
    </tr>
  </thead>`;
}

function row(point: SweepPoint, arms: readonly Coding[]): TemplateResult {
  const cells = arms.map((arm) => point.arms.find((candidate) => candidate.arm === arm));
  const groups: Cell[][] = [
    [measuredDelay(point)],
    cells.map((arm) =>
      spread({ ms: arm?.medianMs ?? null, lowMs: arm?.lowMs ?? null, highMs: arm?.highMs ?? null }),
    ),
    point.gaps.map(spread),
    cells.map((arm) => digits(arm?.deviceReads ?? null)),
    cells.map((arm) => byteSize(arm?.deviceReadBytes ?? null)),
    [sum(cells.map((arm) => arm?.samples)), sum(cells.map((arm) => arm?.flagged))],
  ];
  return html`<tr class=${point.storage === 'none' ? 'control' : ''}>
    <th scope="row">${askedDelay(point)}</th>
    ${groups.map((group, place) =>
      group.map(
        (cell, index) => html`<td class=${index === 0 && place > 0 ? 'group' : ''}>${cell}</td>`,
      ),
    )}
  </tr>`;
}

function sum(counts: readonly (number | undefined)[]): string {
  return digits(counts.reduce<number>((total, count) => total + (count ?? 0), 0));
}

function askedDelay({ storage, requestedDelayMs }: SweepPoint): string {
  return storage === 'none' ? 'control' : digits(requestedDelayMs);
}

function measuredDelay({ measuredDelayMs, delayOff }: SweepPoint): Cell {
  const value = digits(measuredDelayMs?.p50 ?? null);
  if (!delayOff) return value;
  const why = 'Off by more than max(1 ms, 20 %) of the delay asked for';
  return html`<span class="off" title=${why}
    >⚠ ${value}<span class="unseen"> (${why})</span></span
  >`;
}

function spread({ ms, lowMs, highMs }: Spread): TemplateResult {
  const interval =
    lowMs === null || highMs === null ? unknownText : `${digits(lowMs)} to ${digits(highMs)}`;
  return html`<span>${digits(ms)}<small>${interval}</small></span>`;
}
