import {
  gapAt,
  gapDirection,
  pairsAmong,
  verdictAt,
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
import { type ColumnGroup, type GroupedRow, groupedTable } from '../../charts/grouped-table.ts';
import { intervalCell } from '../../charts/interval-text.ts';
import type { Cell } from '../../charts/plain-table.ts';

/** Every verdict in words, by point. */
export function verdictList({ points }: SweepSummary): TemplateResult | typeof nothing {
  const sentences = points.flatMap((point) => point.gaps.map((gap) => verdictAt(point, gap)));
  if (sentences.length === 0) return nothing;
  return html`<details>
    <summary><h2>All verdicts in sentences</h2></summary>
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
  </details>`;
}

/** The table of all points: the requested delay, the measured delay, and the read time of each arm. */
export function pointTable(summary: SweepSummary, label = 'Each point'): TemplateResult {
  const { points, fits } = summary;
  const pairs = pairsAmong(points);
  // Absent in runs of versions that did not count it.
  const hasProcessor = points.some(({ arms }) =>
    arms.some(({ networkServiceMs }) => networkServiceMs !== null),
  );
  const caption =
    "Geometric means of the launches' medians with 95 % intervals below them, gaps with their verdict; processor time is that of the browser's network service for one read. A dash means unknown: too few samples, or device counters that could not be read or that other programs share.";
  const columns = columnsOf(fits, pairs, hasProcessor).filter(([, own]) => own.length > 0);
  const rows = points.map((point) => rowOf(point, fits, pairs, hasProcessor));
  return groupedTable(label, caption, columns, rows);
}

function columnsOf(
  series: readonly Series[],
  pairs: readonly SeriesPair[],
  hasProcessor: boolean,
): ColumnGroup[] {
  const labels = series.map(seriesName);
  const gaps = pairs.map(({ of, against }) => `${seriesName(of)} − ${seriesName(against)}`);
  return [
    ['Delay, ms', ['requested', 'measured']],
    ['Read time, ms', labels],
    ['Gap, ms', gaps],
    ['Device reads', labels],
    ['From the device', labels],
    ['Processor time, ms', hasProcessor ? labels : []],
    ['Samples', ['used', 'flagged']],
  ];
}

/** A group without columns has no cells either. */
function rowOf(
  point: SweepPoint,
  series: readonly Series[],
  pairs: readonly SeriesPair[],
  hasProcessor: boolean,
): GroupedRow {
  const cells = series.map((one) => point.arms.find((candidate) => isSameSeries(candidate, one)));
  const groups: Cell[][] = [
    [askedDelay(point), measuredDelay(point)],
    cells.map((arm) => timeCell(arm?.medianMs, arm)),
    pairs.map((pair) => gapCell(gapAt(point, pair))),
    cells.map((arm) => digits(arm?.deviceReads ?? null)),
    cells.map((arm) => byteSize(arm?.deviceReadBytes ?? null)),
    hasProcessor ? cells.map(processorTime) : [],
    [sum(cells.map((arm) => arm?.samples)), sum(cells.map((arm) => arm?.flagged))],
  ];
  return { groups, isControl: point.storage === 'none' };
}

/** A time in ms with its interval. */
function timeCell(
  ms: number | null | undefined,
  interval: { lowMs: number | null; highMs: number | null } | undefined,
): TemplateResult {
  const { lowMs: low = null, highMs: high = null } = interval ?? {};
  return intervalCell(digits(ms ?? null), { low, high });
}

function processorTime(arm: ArmPoint | undefined): Cell {
  const time = arm?.networkServiceMs;
  return time ? timeCell(time.medianMs, time) : unknownText;
}

function gapCell(gap: Gap | undefined): Cell {
  if (!gap) return unknownText;
  const direction = gapDirection(gap);
  const word = direction === 'undecided' ? 'unknown' : direction;
  return html`<span title=${gap.sentence}
    >${timeCell(gap.ms, gap)}<small class=${direction}>${word}</small></span
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
