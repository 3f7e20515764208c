import { type CsvColumns, csvOf, csvText } from '@cachescope/model/csv.ts';
import { codings } from '@cachescope/model/coding.ts';
import type { ProfileResult } from '@cachescope/model/sweep/profile-result.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { ArmPoint, Gap, SweepPoint } from '@cachescope/model/sweep/result.ts';
import { seriesName, sideName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { throughputText } from '../../results/figures.ts';

/** The delay of a point in the format of the classic table. */
function delayText(point: SweepPoint): string {
  return point.storage === 'none' ? '0 (control)' : String(point.requestedDelayMs);
}

/** The measured delay (p50) where it is outside tolerance, ms; empty: it is within tolerance. */
function offText({ delayOff, measuredDelayMs }: SweepPoint): string {
  return delayOff ? (measuredDelayMs?.p50.toFixed(2) ?? 'unknown') : '';
}

/**
 * The names of the workloads and variants of a sweep, in order; one undefined for a sweep of one workload and one
 * variant.
 */
export function sidesOf({ fits }: Pick<SweepSummary, 'fits'>): (string | undefined)[] {
  return [...new Set(fits.map(sideName))];
}

/** The gap between DCB and Brotli, for the classic outputs. */
export function classicGap(point: SweepPoint, side: string | undefined): Gap | undefined {
  return point.gaps.find(
    ({ of, against }) =>
      of.arm === 'dcb' && !isRecompressed(of) && against.arm === 'br' && sideName(of) === side,
  );
}

/** The arm that each column of the classic table shows. */
const classicColumns = {
  dcb: { arm: 'dcb', recompressed: false },
  brotli: { arm: 'br', recompressed: false },
  recompressed: { arm: 'dcb', recompressed: true },
} as const;
export type ClassicColumn = keyof typeof classicColumns;

/** The cell of a column of the classic table; undefined: it was not measured. */
export function classicCell(
  { arms }: SweepPoint,
  column: ClassicColumn,
  side: string | undefined,
): ArmPoint | undefined {
  const { arm, recompressed } = classicColumns[column];
  return arms.find(
    (each) => each.arm === arm && isRecompressed(each) === recompressed && sideName(each) === side,
  );
}

/**
 * The classic table: columns and names are those of the first sweep of this kind (github.com/nhelfman/TestCDT), and the
 * values are geometric means of the launches' medians. A cell is empty where the arm was not measured or has no usable sample. A sweep
 * with variants or several workloads has a row for each, and their names in one more column. The columns after that are
 * new: the measured delay where it is outside tolerance, and recompressed DCB.
 */
export function classicCsv(summary: SweepSummary): string {
  const sides = sidesOf(summary);
  const medianOf =
    (column: ClassicColumn) =>
    ({ point, side }: ClassicRow) =>
      classicCell(point, column, side)?.medianMs?.toFixed(2);
  const sideColumn = summary.fits[0]?.workload === undefined ? 'Variant' : 'Workload';
  const columns: CsvColumns<ClassicRow> = {
    Delay_ms: ({ point }) => delayText(point),
    Throughput: ({ point }) => throughputText(point.throughputBytesPerSecond),
    DCB_Read_ms: medianOf('dcb'),
    Brotli_Read_ms: medianOf('brotli'),
    Gap_ms: ({ point, side }) => classicGap(point, side)?.ms?.toFixed(2),
    // The names of the workload and the variant share one column.
    ...(sides[0] && { [sideColumn]: ({ side }: ClassicRow) => side?.replace(', ', ' ') }),
    Delay_off_ms: ({ point }) => offText(point),
    DCB_Recompressed_Read_ms: medianOf('recompressed'),
  };
  return csvOf(
    columns,
    summary.points.flatMap((point) => sides.map((side) => ({ point, side }))),
  );
}

interface ClassicRow {
  point: SweepPoint;
  side: string | undefined;
}

const pointColumns: CsvColumns<{ point: SweepPoint }> = {
  storage: ({ point }) => point.storage,
  requested_delay_ms: ({ point }) => point.requestedDelayMs,
  measured_delay_p50_ms: ({ point }) => point.measuredDelayMs?.p50,
  measured_delay_p95_ms: ({ point }) => point.measuredDelayMs?.p95,
  delay_off: ({ point }) => point.delayOff,
};

const cellColumns: CsvColumns<{ point: SweepPoint; cell: ArmPoint }> = {
  ...pointColumns,
  arm: ({ cell }) => cell.arm,
  samples: ({ cell }) => cell.samples,
  flagged: ({ cell }) => cell.flagged,
  read_median_ms: ({ cell }) => cell.medianMs,
  read_low_ms: ({ cell }) => cell.lowMs,
  read_high_ms: ({ cell }) => cell.highMs,
  device_reads: ({ cell }) => cell.deviceReads,
  device_read_bytes: ({ cell }) => cell.deviceReadBytes,
  variant: ({ cell }) => cell.variant,
  launches: ({ cell }) => cell.launches,
  workload: ({ cell }) => cell.workload,
  network_service_median_ms: ({ cell }) => cell.networkServiceMs?.medianMs,
  network_service_low_ms: ({ cell }) => cell.networkServiceMs?.lowMs,
  network_service_high_ms: ({ cell }) => cell.networkServiceMs?.highMs,
};

/** One row per cell with all its values. An empty field: unknown. */
export function cellsCsv(summary: SweepSummary): string {
  const rows = summary.points.flatMap((point) =>
    point.arms
      .toSorted((a, b) => codings.indexOf(a.arm) - codings.indexOf(b.arm))
      .map((cell) => ({ point, cell })),
  );
  return csvOf(cellColumns, rows);
}

const gapColumns: CsvColumns<{ point: SweepPoint; gap: Gap }> = {
  ...pointColumns,
  of_arm: ({ gap }) => gap.of.arm,
  of_variant: ({ gap }) => gap.of.variant,
  against_arm: ({ gap }) => gap.against.arm,
  against_variant: ({ gap }) => gap.against.variant,
  gap_ms: ({ gap }) => gap.ms,
  gap_low_ms: ({ gap }) => gap.lowMs,
  gap_high_ms: ({ gap }) => gap.highMs,
  gap_share: ({ gap }) => gap.relative,
  gap_low_share: ({ gap }) => gap.relativeLow,
  gap_high_share: ({ gap }) => gap.relativeHigh,
  confidence: ({ gap }) => gap.confidence,
  family_comparisons: ({ gap }) => gap.family,
  verdict: ({ gap }) => gap.verdict.outcome,
  direction: ({ gap }) => gap.verdict.direction,
  p_adjusted: ({ gap }) => gap.verdict.p,
  margin_share: ({ gap }) => gap.verdict.margin,
  workload: ({ gap }) => gap.of.workload,
};

/** One row per gap, with its verdict. An empty field: unknown. */
export function gapsCsv(summary: SweepSummary): string {
  const rows = summary.points.flatMap((point) => point.gaps.map((gap) => ({ point, gap })));
  return csvOf(gapColumns, rows);
}

/** One row for the device and one for each series. An empty field: unknown, or not of the device. */
export function profileCsv({ name, device, reads }: ProfileResult): string {
  const header = [
    'profile',
    'of',
    'reads',
    'median_ms',
    'p95_ms',
    'p99_ms',
    'p95_predicted_ms',
    'error_share',
  ];
  const rows = reads.map((read) => {
    const { samples, medianMs, tail, predictedP95Ms, errorShare } = read;
    const times = [medianMs, tail.p95Ms, tail.p99Ms];
    return [name, seriesName(read), samples, ...times, predictedP95Ms, errorShare];
  });
  const times = [device.medianMs, device.p95Ms, device.p99Ms];
  return csvText(header, [[name, 'device read', device.reads, ...times, '', ''], ...rows]);
}
