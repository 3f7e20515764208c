import { type CsvCell, csvText } from '@cachescope/model/csv.ts';
import { codings } from '@cachescope/model/coding.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { ArmPoint, Gap, SweepPoint } from '@cachescope/model/sweep/result.ts';
import { sideName } from '@cachescope/model/sweep/series.ts';
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

/** Name of a point in the format of the classic report; it says when the measured delay is outside tolerance. */
export function pointName(point: SweepPoint): string {
  const off = offText(point);
  return off === '' ? delayText(point) : `${delayText(point)} (delay off: ${off})`;
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

function medianOf(point: SweepPoint, column: ClassicColumn, side: string | undefined): string {
  return classicCell(point, column, side)?.medianMs?.toFixed(2) ?? '';
}

/**
 * The classic table: columns and names are those of the first sweep of this kind (github.com/nhelfman/TestCDT), and the
 * values are medians of the samples. A cell is empty where the arm was not measured or has no usable sample. A sweep
 * with variants or several workloads has a row for each, and their names in one more column. The columns after that are
 * new: the measured delay where it is outside tolerance, and recompressed DCB.
 */
export function classicCsv(summary: SweepSummary): string {
  const sides = sidesOf(summary);
  const more = (name: string | undefined): string[] => (name === undefined ? [] : [name]);
  const rows = summary.points.flatMap((point) =>
    sides.map((side) => [
      delayText(point),
      throughputText(point.throughputBytesPerSecond),
      medianOf(point, 'dcb', side),
      medianOf(point, 'brotli', side),
      classicGap(point, side)?.ms?.toFixed(2) ?? '',
      // The names of the workload and the variant share one column.
      ...more(side?.replace(', ', ' ')),
      offText(point),
      medianOf(point, 'recompressed', side),
    ]),
  );
  const header = ['Delay_ms', 'Throughput', 'DCB_Read_ms', 'Brotli_Read_ms', 'Gap_ms'];
  const column = summary.fits[0]?.workload === undefined ? 'Variant' : 'Workload';
  const last = ['Delay_off_ms', 'DCB_Recompressed_Read_ms'];
  return csvText([...header, ...more(sides[0] && column), ...last], rows);
}

const pointColumns = [
  'storage',
  'requested_delay_ms',
  'measured_delay_p50_ms',
  'measured_delay_p95_ms',
  'delay_off',
];

function pointCells(point: SweepPoint): CsvCell[] {
  return [
    point.storage,
    point.requestedDelayMs,
    point.measuredDelayMs?.p50,
    point.measuredDelayMs?.p95,
    String(point.delayOff),
  ];
}

/** One row per cell with all its values. An empty field: unknown. */
export function cellsCsv(summary: SweepSummary): string {
  const header = [
    ...pointColumns,
    'arm',
    'samples',
    'flagged',
    'read_ms_median',
    'read_ms_low',
    'read_ms_high',
    'device_reads',
    'device_read_bytes',
    'variant',
    'launches',
    'interval_holds_for',
    'workload',
    'network_service_ms_median',
    'network_service_ms_low',
    'network_service_ms_high',
  ];
  const rows = summary.points.flatMap((point) =>
    point.arms
      .toSorted((a, b) => codings.indexOf(a.arm) - codings.indexOf(b.arm))
      .map((cell) => [
        ...pointCells(point),
        cell.arm,
        cell.samples,
        cell.flagged,
        cell.medianMs,
        cell.lowMs,
        cell.highMs,
        cell.deviceReads,
        cell.deviceReadBytes,
        cell.variant ?? '',
        cell.launches,
        cell.lowMs === null ? '' : cell.scope,
        cell.workload ?? '',
        cell.networkServiceMs?.medianMs,
        cell.networkServiceMs?.lowMs,
        cell.networkServiceMs?.highMs,
      ]),
  );
  return csvText(header, rows);
}

/** One row per gap, with its verdict. An empty field: unknown. */
export function gapsCsv(summary: SweepSummary): string {
  const header = [
    ...pointColumns,
    'of_arm',
    'of_variant',
    'against_arm',
    'against_variant',
    'gap_ms',
    'gap_ms_low',
    'gap_ms_high',
    'gap_share',
    'gap_share_low',
    'gap_share_high',
    'confidence',
    'interval_holds_for',
    'verdict',
    'direction',
    'p_holm',
    'margin_share',
    'workload',
  ];
  const rows = summary.points.flatMap((point) =>
    point.gaps.map((gap) => [
      ...pointCells(point),
      gap.of.arm,
      gap.of.variant ?? '',
      gap.against.arm,
      gap.against.variant ?? '',
      gap.ms,
      gap.lowMs,
      gap.highMs,
      gap.relative,
      gap.relativeLow,
      gap.relativeHigh,
      gap.confidence,
      gap.lowMs === null ? '' : gap.scope,
      gap.verdict.outcome,
      gap.verdict.direction ?? '',
      gap.verdict.p,
      gap.verdict.margin,
      gap.of.workload ?? '',
    ]),
  );
  return csvText(header, rows);
}
