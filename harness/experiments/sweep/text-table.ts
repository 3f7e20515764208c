import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import type { Tail } from '@cachescope/model/sweep/saved-summary.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { count, digits, percent, unknownText } from '@cachescope/model/quantity.ts';
import { defaultConfidence } from '@cachescope/model/statistics/interval.ts';
import { plainTable } from '../../results/plain-table.ts';
import { sidesOf } from './csv.ts';

/** Three significant digits: more would suggest a precision that the interval does not support. */
function withInterval(value: number | null, low: number | null, high: number | null): string {
  if (low === null || high === null) return digits(value);
  return `${digits(value)} [${digits(low)}, ${digits(high)}]`;
}

/** `; gaps 98.3 %` where the intervals of gaps have another confidence than 95 %, after interim looks. */
export function gapLevelNote(summary: SweepSummary): string {
  const others = gapLevels(summary).filter((level) => level !== percent(defaultConfidence));
  return others.length === 0 ? '' : `; gaps ${others.join(' and ')}`;
}

/** The confidence levels of the gaps' intervals: `95 %`. */
function gapLevels({ points }: SweepSummary): string[] {
  return [...new Set(points.flatMap(({ gaps }) => gaps.map((gap) => percent(gap.confidence))))];
}

/** What a read time in the tables of a sweep is. */
export const readTimeIs = "geometric mean of the launches' medians";

/** Names are cut to this many characters, so that the table fits 80 columns. */
const mostOfSeries = 33;

function cut(name: string | undefined, most: number): string {
  if (name === undefined || name.length <= most) return name ?? '';
  return `${name.slice(0, most - 1)}…`;
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
