import { codings, type Coding } from '@cachescope/model/coding.ts';
import type { SweepPoint } from '@cachescope/model/sweep-result.ts';
import type { SweepSummary } from '@cachescope/model/sweep-summary.ts';
import { throughputText } from './figures.ts';

/** Name of a point as the classic outputs write it; a delay that the device did not have says so. */
export function pointName(point: SweepPoint): string {
  if (point.storage === 'none') return '0 (control)';
  if (!point.delayOff) return String(point.requestedDelayMs);
  return `${point.requestedDelayMs} (delay off: ${point.measuredDelayMs?.p50.toFixed(2) ?? 'unknown'})`;
}

function medianOf(point: SweepPoint, arm: Coding): string {
  return point.arms.find((candidate) => candidate.arm === arm)?.medianMs?.toFixed(2) ?? '';
}

function gapOf(point: SweepPoint): string {
  return point.gaps.find((gap) => gap.arm === 'dcb' && gap.baseline === 'br')?.ms?.toFixed(2) ?? '';
}

function lines(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.join(',')}\n`).join('');
}

/**
 * The classic table: columns and names as the first sweep of this kind had them (github.com/nhelfman/TestCDT), medians
 * of the samples as values. A cell is empty where the arm was not measured or has no usable sample.
 */
export function classicCsv(summary: SweepSummary): string {
  const header = ['Delay_ms', 'Throughput', 'DCB_Read_ms', 'Brotli_Read_ms', 'Gap_ms'];
  const rows = summary.points.map((point) => [
    pointName(point),
    throughputText(point.throughputBytesPerSecond),
    medianOf(point, 'dcb'),
    medianOf(point, 'br'),
    gapOf(point),
  ]);
  return lines([header, ...rows]);
}

/** One row a cell, with everything that is known of it. Empty means unknown. */
export function cellsCsv(summary: SweepSummary): string {
  const header = [
    'storage',
    'requested_delay_ms',
    'measured_delay_p50_ms',
    'measured_delay_p95_ms',
    'delay_off',
    'arm',
    'samples',
    'flagged',
    'read_ms_median',
    'read_ms_low',
    'read_ms_high',
    'device_reads',
    'device_read_bytes',
  ];
  const text = (value: number | null | undefined) =>
    value === null || value === undefined ? '' : String(value);
  const rows = summary.points.flatMap((point) =>
    point.arms
      .toSorted((a, b) => codings.indexOf(a.arm) - codings.indexOf(b.arm))
      .map((arm) => [
        point.storage,
        text(point.requestedDelayMs),
        text(point.measuredDelayMs?.p50),
        text(point.measuredDelayMs?.p95),
        String(point.delayOff),
        arm.arm,
        text(arm.samples),
        text(arm.flagged),
        text(arm.medianMs),
        text(arm.lowMs),
        text(arm.highMs),
        text(arm.deviceReads),
        text(arm.deviceReadBytes),
      ]),
  );
  return lines([header, ...rows]);
}
