import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import { placeText } from '@cachescope/model/sweep/gap-outcomes.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { SweepPoint } from '@cachescope/model/sweep/result.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { classicCell, type ClassicColumn, classicGap, pointName, sidesOf } from './csv.ts';
import { bytesText, figureText, intervalText, throughputText } from '../../results/figures.ts';
import { profileTable } from './profile-table.ts';
import { armTable } from './text-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;
const heavy = '='.repeat(width);
const light = '-'.repeat(width);

function section(title: string, body: string): string {
  const indent = ' '.repeat(Math.max(0, Math.floor((width - title.length) / 2)));
  return `${light}\n${indent}${title}\n${light}\n\n${body}\n`;
}

function delayRange(run: SweepRun): string {
  const [first] = run.plan.delaysMs;
  const last = run.plan.delaysMs.at(-1);
  if (first === undefined || last === undefined) return 'control only';
  const steps = run.plan.delaysMs.slice(1).map((ms, index) => ms - (run.plan.delaysMs[index] ?? 0));
  const step = steps[0] ?? 0;
  if (steps.some((each) => Math.abs(each - step) > 1e-6))
    return run.plan.delaysMs.map((ms) => `${ms}ms`).join(', ');
  return `${first}ms to ${last}ms (increment: ${step}ms)`;
}

function classicRow(point: SweepPoint, side: string | undefined, isThird: boolean): string {
  const read = (column: ClassicColumn) => {
    const cell = classicCell(point, column, side);
    return cell === undefined ? '-' : `${figureText(cell.medianMs)} ms`;
  };
  const gap = classicGap(point, side);
  return inColumns(
    [
      shortName(point),
      throughputText(point.throughputBytesPerSecond),
      read('dcb'),
      read('brotli'),
      gap ? `${figureText(gap.ms)} ms` : '-',
      ...(isThird ? [read('recompressed')] : []),
    ],
    isThird,
  );
}

/** The five classic columns fill the page width; with a sixth they are narrower. */
function inColumns(cells: readonly string[], isThird: boolean): string {
  return cells
    .map((cell, index) => cell.padEnd(isThird && index > 0 ? 13 : 16))
    .join('')
    .trimEnd();
}

/** The name of a point, short enough for its column; the mark is explained below the table. */
function shortName(point: SweepPoint): string {
  if (point.storage === 'none') return '0 (control) ms';
  return `${point.requestedDelayMs} ms${point.delayOff ? ' !' : ''}`;
}

/** The classic rows; a sweep with variants or workloads has one block for each. */
function classicTable(summary: SweepSummary): string {
  const isThird = summary.fits.some(isRecompressed);
  const names = ['IO Delay', 'Throughput', 'DCB Read', 'Brotli Read', 'Gap'];
  const head = inColumns([...names, ...(isThird ? ['DCB Rec.'] : [])], isThird);
  const below = ['(per read)', '', 'Time', 'Time', ''];
  const under = inColumns([...below, ...(isThird ? ['Time'] : [])], isThird);
  const note = summary.points.some((point) => point.delayOff)
    ? ['! measured delay is outside tolerance']
    : [];
  const rows = sidesOf(summary).flatMap((side) => [
    ...(side === undefined ? [] : ['', side]),
    ...summary.points.map((point) => classicRow(point, side, isThird)),
  ]);
  return [head, under, light, ...rows, ...note, ''].join('\n');
}

/** The verdict on every gap at every point, as sentences. */
function verdicts(summary: SweepSummary): string {
  const lines = summary.points.flatMap((point) =>
    point.gaps.map((gap) => {
      const place = placeText(point);
      return wrap(`${place.slice(0, 1).toUpperCase()}${place.slice(1)}: ${gap.sentence}`, width);
    }),
  );
  return `${lines.join('\n')}\n`;
}

function intervals(summary: SweepSummary): string {
  const lines = summary.points.flatMap((point) => [
    `${pointName(point)} ms, measured ${figureText(point.measuredDelayMs?.p50 ?? null)} ms (p95 ${figureText(point.measuredDelayMs?.p95 ?? null)})`,
    ...point.arms.map((arm) => {
      const reads = arm.deviceReads === null ? 'unknown' : `${arm.deviceReads}`;
      const kib =
        arm.deviceReadBytes === null ? 'unknown' : (arm.deviceReadBytes / 1024).toFixed(0);
      return `  ${seriesName(arm).padEnd(10)} ${intervalText(arm.medianMs, arm.lowMs, arm.highMs, 2)} ms, n ${arm.samples} in ${arm.launches} launches, flagged ${arm.flagged}, device reads ${reads}, KiB ${kib}`;
    }),
    ...point.gaps.map(
      (gap) =>
        `  gap        ${intervalText(gap.ms, gap.lowMs, gap.highMs, 2)} ms (${seriesName(gap.of)} - ${seriesName(gap.against)})`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

function conditions(run: SweepRun, summary: SweepSummary): string {
  const { environment, plan } = run;
  const flagged = Object.entries(summary.counts.flagged).filter(([, count]) => count > 0);
  const lines = [
    `Workload:          ${plan.workload.title} (${bytesText(plan.workload.resourceBytes)} bytes)`,
    `Chromium:          ${environment.chromium.version}`,
    `Flags:             ${environment.chromium.flags.join(' ')}`,
    `Kernel:            ${environment.kernel}`,
    `System:            ${environment.os}, ${environment.cpu}, ${environment.cores} cores`,
    `Storage:           ${environment.storage}`,
    `Samples:           ${summary.counts.used} used of ${summary.counts.samples}; ${plan.samplesPerCell} requested for each cell`,
    `Flagged samples:   ${flagged.length === 0 ? 'none' : flagged.map(([flag, count]) => `${flag} ${count}`).join(', ')}`,
    `Seed:              ${plan.seed}`,
    `Status:            ${run.status}${run.statusReason ? ` (${run.statusReason})` : ''}`,
    `Page clock step:   ${environment.timerStepMs === null ? 'unknown' : `${environment.timerStepMs} ms`}`,
  ];
  return `${lines.join('\n')}\n`;
}

/**
 * The classic text report with its original sections, and new sections after them.
 *
 * @param traces the text about traced reads; empty: none.
 */
export function textReport(run: SweepRun, summary: SweepSummary, traces = ''): string {
  const metrics = [
    'IO Delay          requested delay of each device read; "(control)": the cache on ordinary storage',
    'Throughput        sequential 1 MiB direct reads of the storage at that delay, measured',
    'DCB Read Time     from fetch() to the whole body in the page, page cache dropped before; median',
    'Brotli Read Time  the same decoded bytes, stored as Brotli',
    'Gap               DCB Read Time - Brotli Read Time',
    ...(summary.fits.some(isRecompressed)
      ? ['DCB Rec. Time     DCB recompressed as Zstandard by Chromium before it is stored']
      : []),
  ].join('\n');
  return [
    heavy,
    `${' '.repeat(20)}CDT CACHE READ PERFORMANCE SWEEP REPORT`,
    heavy,
    '',
    `Test Date: ${run.startedAt}`,
    `Delay Range: ${delayRange(run)}`,
    '',
    section('RESULTS TABLE', classicTable(summary)),
    section('ANALYSIS', `${summary.finding.map((sentence) => wrap(sentence, width)).join('\n')}\n`),
    section('METRICS', `${metrics}\n`),
    section('VERDICTS', verdicts(summary)),
    section('INTERVALS (95 %)', intervals(summary)),
    ...(summary.profile ? [section('PROFILE', `${profileTable(summary.profile)}\n`)] : []),
    section('ARMS', `${armTable(summary)}\n`),
    ...(traces === '' ? [] : [section('TRACED READS', traces)]),
    section('CONDITIONS', conditions(run, summary)),
    ...(run.warnings.length > 0
      ? [section('WARNINGS', `${foldedWarnings(run.warnings).join('\n')}\n`)]
      : []),
  ].join('\n');
}
