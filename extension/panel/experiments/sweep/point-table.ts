import {
  gapAt,
  gapDirection,
  pairsAmong,
  placeText,
} from '@cachescope/model/sweep/gap-outcomes.ts';
import { byteSize, digits, unknownText } from '@cachescope/model/quantity.ts';
import {
  isSameSeries,
  type Series,
  seriesName,
  type SeriesPair,
} from '@cachescope/model/sweep/series.ts';
import type { ArmPoint, Gap, SweepPoint, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { html, nothing, type TemplateResult } from 'lit';

/** Every verdict in words, by point. */
export function verdictList({ points }: SweepSummary): TemplateResult | typeof nothing {
  const judged = points.flatMap((point) =>
    point.gaps.map((gap) => ({ place: placeText(point), gap })),
  );
  if (judged.length === 0) return nothing;
  return html`<details>
    <summary><h2>All verdicts in sentences</h2></summary>
    <ul>
      ${judged.map(
        ({ place, gap }) =>
          html`<li>${place.slice(0, 1).toUpperCase()}${place.slice(1)}: ${gap.sentence}</li>`,
      )}
    </ul>
  </details>`;
}

/** A value with its interval, ms. */
interface Spread {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

type Cell = TemplateResult | string;

/** The table of all points: the requested delay, the measured delay, and the read time of each arm. */
export function pointTable(summary: SweepSummary, label = 'Each point'): TemplateResult {
  const pairs = pairsAmong(summary.points);
  // Absent in runs of versions that did not count it.
  const hasProcessor = summary.points.some(({ arms }) =>
    arms.some(({ networkServiceMs }) => networkServiceMs !== null),
  );
  // Scrolls sideways separately in a narrow panel, also by keyboard.
  return html`<div class="scroll" role="region" aria-label=${label} tabindex="0">
    <table>
      <caption>
        <span
          >Medians with 95 % intervals below them, gaps with their verdict; processor time is that
          of the browser's network service for one read. A dash means unknown: too few samples, or
          device counters that could not be read or that other programs share.</span
        >
      </caption>
      ${head(summary.fits, pairs, hasProcessor)}
      <tbody>
        ${summary.points.map((point) => row(point, summary.fits, pairs, hasProcessor))}
      </tbody>
    </table>
  </div>`;
}

function head(
  series: readonly Series[],
  pairs: readonly SeriesPair[],
  hasProcessor: boolean,
): TemplateResult {
  const labels = series.map(seriesName);
  const processor = hasProcessor ? labels : [];
  const gaps = pairs.map(({ of, against }) => `${seriesName(of)} − ${seriesName(against)}`);
  const all: [title: string, columns: readonly string[]][] = [
    ['Delay, ms', ['requested', 'measured']],
    ['Read time, ms', labels],
    ['Gap, ms', gaps],
    ['Device reads', labels],
    ['From the device', labels],
    ['Processor time, ms', processor],
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

function row(
  point: SweepPoint,
  series: readonly Series[],
  pairs: readonly SeriesPair[],
  hasProcessor: boolean,
): TemplateResult {
  const cells = series.map((one) => point.arms.find((candidate) => isSameSeries(candidate, one)));
  const groups: Cell[][] = [
    [measuredDelay(point)],
    cells.map((arm) =>
      spread({ ms: arm?.medianMs ?? null, lowMs: arm?.lowMs ?? null, highMs: arm?.highMs ?? null }),
    ),
    pairs.map((pair) => gapCell(gapAt(point, pair))),
    cells.map((arm) => digits(arm?.deviceReads ?? null)),
    cells.map((arm) => byteSize(arm?.deviceReadBytes ?? null)),
    hasProcessor ? cells.map(processorTime) : [],
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

function processorTime(arm: ArmPoint | undefined): Cell {
  const { medianMs: ms = null, lowMs = null, highMs = null } = arm?.networkServiceMs ?? {};
  return ms === null ? unknownText : spread({ ms, lowMs, highMs });
}

function gapCell(gap: Gap | undefined): Cell {
  if (!gap) return unknownText;
  const direction = gapDirection(gap);
  const word = direction === 'undecided' ? 'unknown' : direction;
  return html`<span title=${gap.sentence}
    >${spread(gap)}<small class=${direction}>${word}</small></span
  >`;
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
  const why = 'Outside tolerance: more than 1 ms and more than 20 % off the requested delay';
  return html`<span class="off" title=${why}
    >⚠ ${value}<span class="unseen"> (${why})</span></span
  >`;
}

function spread({ ms, lowMs, highMs }: Spread): TemplateResult {
  const interval =
    lowMs === null || highMs === null ? unknownText : `${digits(lowMs)} to ${digits(highMs)}`;
  return html`<span>${digits(ms)}<small>${interval}</small></span>`;
}
