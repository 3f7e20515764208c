import { codingLabels } from '@cachescope/model/coding.ts';
import { gapDirection } from '@cachescope/model/sweep/gap-outcomes.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import type { Tail } from '@cachescope/model/sweep/saved-summary.ts';
import type { Gap, SweepPoint } from '@cachescope/model/sweep/result.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import { type Series, seriesName, sideName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { count, digits, milliseconds, percent, unknownText } from '@cachescope/model/quantity.ts';
import { defaultConfidence } from '@cachescope/model/statistics/interval.ts';
import { plainTable } from '../../results/plain-table.ts';
import { sidesOf } from './csv.ts';

function delayName(point: SweepPoint): string {
  return point.storage === 'none' ? 'control' : `${point.requestedDelayMs} ms`;
}

/** For tables without a column for the measured delay. */
function markedName(point: SweepPoint): string {
  return point.delayOff ? `${delayName(point)} !` : delayName(point);
}

function measuredName(point: SweepPoint): string {
  const measured = milliseconds(point.measuredDelayMs?.p50 ?? null);
  return point.delayOff ? `${measured} !` : measured;
}

/** Three significant digits: more would suggest a precision that the interval does not support. */
export function withInterval(
  value: number | null,
  low: number | null,
  high: number | null,
): string {
  if (low === null || high === null) return digits(value);
  return `${digits(value)} [${digits(low)}, ${digits(high)}]`;
}

/**
 * Whether the table of read times has intervals. Two series and their gap fit 80 columns with them, and so do three
 * series without gaps, and two columns with variants or several workloads.
 */
export function withIntervals(summary: SweepSummary): boolean {
  const hasSides = sidesOf(summary)[0] !== undefined;
  return hasSides ? sideColumnsOf(summary).length <= 2 : summary.fits.length <= 3;
}

/** `; gaps 98.3 %` where the intervals of gaps have another confidence than 95 %, after interim looks. */
export function gapLevelNote(summary: SweepSummary): string {
  const others = gapLevels(summary).filter((level) => level !== percent(defaultConfidence));
  return others.length === 0 ? '' : `; gaps ${others.join(' and ')}`;
}

/** The confidence levels of the gaps' intervals: `95 %`. */
export function gapLevels({ points }: SweepSummary): string[] {
  return [...new Set(points.flatMap(({ gaps }) => gaps.map((gap) => percent(gap.confidence))))];
}

/** Whether the table of read times has the gaps. Three series leave no room for them: they are in the sentences. */
export function withGaps(summary: SweepSummary): boolean {
  return sidesOf(summary)[0] === undefined && summary.fits.length < 3;
}

/** What a read time in the tables of a sweep is. */
export const readTimeIs = "geometric mean of the launches' medians";

/** Read time by point and arm, ms; with variants or several workloads, one line for each. */
export function readTimeTable(summary: SweepSummary): string {
  const { fits, points } = summary;
  if (sidesOf(summary)[0] !== undefined) return sideTable(summary);
  const hasIntervals = withIntervals(summary);
  // Three series leave no room for measured delays, which are in the report.
  const isTrio = fits.length === 3;
  const gapsOf = ({ gaps }: SweepPoint) => (withGaps(summary) ? gaps : []);
  const head = [
    ...(isTrio ? ['IO delay'] : ['IO delay', 'measured']),
    ...fits.map(hasIntervals ? seriesName : columnName),
    ...points
      .slice(0, 1)
      .flatMap(gapsOf)
      .map(() => 'gap'),
  ];
  const rows = points.map((point) => [
    ...(isTrio ? [markedName(point)] : [delayName(point), measuredName(point)]),
    ...point.arms.map(({ medianMs, lowMs, highMs }) =>
      hasIntervals ? withInterval(medianMs, lowMs, highMs) : digits(medianMs),
    ),
    ...gapsOf(point).map(({ ms, lowMs, highMs }) => withInterval(ms, lowMs, highMs)),
  ]);
  return plainTable(head, 1, rows);
}

/** Names are cut to this many characters, so that the tables fit 80 columns. */
const mostOfVariant = 28;
const mostOfSeries = 33;

function cut(name: string | undefined, most: number): string {
  if (name === undefined || name.length <= most) return name ?? '';
  return `${name.slice(0, most - 1)}…`;
}

/** `dcb`, `dcb rec.`: short names for tables with many columns. */
function columnName(series: Series): string {
  return isRecompressed(series) ? `${series.arm} rec.` : series.arm;
}

/** The columns of read times in a table with variants or several workloads. */
function sideColumnsOf({ fits }: SweepSummary): string[] {
  return [...new Set(fits.map(columnName))];
}

function sideTable(summary: SweepSummary): string {
  const sides = sidesOf(summary);
  const columns = sideColumnsOf(summary);
  const hasIntervals = withIntervals(summary);
  const second = summary.fits[0]?.workload === undefined ? 'variant' : 'workload';
  const rows = summary.points.flatMap((point) =>
    sides.map((side) => {
      const cells = columns.map((column) => {
        const cell = point.arms.find(
          (each) => columnName(each) === column && sideName(each) === side,
        );
        const { medianMs = null, lowMs = null, highMs = null } = cell ?? {};
        return hasIntervals ? withInterval(medianMs, lowMs, highMs) : digits(medianMs);
      });
      return [markedName(point), cut(side, mostOfVariant), ...cells];
    }),
  );
  return plainTable(['IO delay', second, ...columns], 2, rows, 1);
}

/** `DIFFERENT, slower`: the outcome of the verdict and the direction. */
export function verdictWord(gap: Pick<Gap, 'verdict'>): string {
  const { outcome } = gap.verdict;
  return outcome === 'DIFFERENT' ? `${outcome}, ${gapDirection(gap)}` : outcome;
}

/** Every variant compared with the first, by point and arm; empty in a sweep without variants. */
export function verdictTable(summary: SweepSummary): string {
  const judged = summary.points.flatMap((point) =>
    point.gaps.filter(({ between }) => between === 'variants').map((gap) => ({ point, gap })),
  );
  if (judged.length === 0) return '';
  const rows = judged.map(({ point, gap }) => [
    delayName(point),
    codingLabels[gap.of.arm],
    cut(gap.of.variant, mostOfVariant),
    withInterval(inPercent(gap.relative), inPercent(gap.relativeLow), inPercent(gap.relativeHigh)),
    verdictWord(gap),
  ]);
  return `${plainTable(['IO delay', 'arm', 'variant', 'difference, %', 'verdict'], 3, rows)}\n`;
}

function inPercent(share: number | null): number | null {
  return share === null ? null : 100 * share;
}

/**
 * The bytes of each series on the wire and on disk, its device reads, and the dependence of its time on the delay. With
 * variants, the columns of bytes on the wire and decoded bytes, which all variants have in common, are left out to make
 * room for the names.
 */
export function armTable(summary: SweepSummary): string {
  const hasVariants = sidesOf(summary)[0] !== undefined;
  // The decoded bytes are the same in every series, so a long name takes the place of their column.
  const isThird = summary.fits.some(isRecompressed);
  const first = hasVariants
    ? [
        `arm (${summary.fits[0]?.workload === undefined ? 'variant' : 'workload'})`,
        'stored B',
        'reads',
      ]
    : ['arm', 'wire B', 'stored B', ...(isThird ? [] : ['decoded B']), 'device reads'];
  const shown = hasVariants ? [1, 2] : [0, isThird ? 2 : 3];
  const rows = summary.fits.map((fit) => {
    const sizes = [fit.wireBytes, fit.storedBytes, fit.decodedBytes].map(count);
    return [
      cut(seriesName(fit), mostOfSeries),
      ...sizes.slice(...shown),
      digits(fit.deviceReads),
      digits(fit.deviceReadBytes === null ? null : fit.deviceReadBytes / 1024),
      digits(fit.slopeMsPerMs),
      fit.r2 === null ? unknownText : fit.r2.toFixed(4),
    ];
  });
  return plainTable([...first, 'KiB read', 'ms per ms', 'R²'], 1, rows);
}

/** Read times with the latencies of a profile beside the device's own, ms. */
export function profileTable({ name, device, reads }: ProfileResult): string {
  const titles = [name, 'median', 'p95', 'p99', 'p95 predicted', 'error'];
  const rows = reads.map((read) => [
    seriesName(read),
    withInterval(read.medianMs, read.lowMs, read.highMs),
    ...tailCells(read.tail),
    digits(read.predictedP95Ms),
    percent(read.errorShare),
  ]);
  const first = ['device read', digits(device.medianMs), ...tailCells(device), '', ''];
  return plainTable(titles, 1, [first, ...rows]);
}

function tailCells({ p95Ms, p99Ms }: Tail): string[] {
  return [digits(p95Ms), digits(p99Ms)];
}
