import { flagTexts } from '@cachescope/model/run/flags.ts';
import { count } from '@cachescope/model/quantity.ts';
import { foldedWarnings } from '@cachescope/model/run/folded-warnings.ts';
import type { SweepRun } from '@cachescope/model/sweep/run.ts';
import { verdictAt } from '@cachescope/model/sweep/gap-outcomes.ts';
import { isRecompressed } from '@cachescope/model/sweep/recompressed.ts';
import type { SweepPoint } from '@cachescope/model/sweep/result.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { classicCell, type ClassicColumn, classicGap, sidesOf } from './csv.ts';
import { figureText, intervalText, throughputText } from '../../results/figures.ts';
import { armTable, gapLevelNote, profileTable, readTimeIs } from './text-table.ts';
import { wrap } from '../../results/wrap.ts';

const width = 80;
const heavy = '='.repeat(width);
const light = '-'.repeat(width);

function section(title: string, body: string): string {
  const indent = ' '.repeat(Math.max(0, Math.floor((width - title.length) / 2)));
  return `${light}\n${indent}${title}\n${light}\n\n${body}\n`;
}

function delayRange({ plan: { delaysMs, profile } }: SweepRun): string {
  const [first, last] = [delaysMs[0], delaysMs.at(-1)];
  if (first === undefined || last === undefined)
    return profile ? `none; profile ${profile.name}` : 'control only';
  if (delaysMs.length === 1) return `${first}ms`;
  const steps = delaysMs.slice(1).map((ms, index) => ms - (delaysMs[index] ?? 0));
  const [step = 0] = steps;
  return steps.some((each) => Math.abs(each - step) > 1e-6)
    ? delaysMs.map((ms) => `${ms}ms`).join(', ')
    : `${first}ms to ${last}ms (increment: ${step}ms)`;
}

/** The name of a point, short enough for its column; the mark is explained below the table. */
function shortName(point: SweepPoint): string {
  if (point.storage === 'none') return '0 (control) ms';
  return `${point.requestedDelayMs} ms${point.delayOff ? ' !' : ''}`;
}

/** The columns of the classic table: two lines of title, and the cell of a point. */
const classicColumns: readonly (readonly [
  title: string,
  below: string,
  cellOf: (point: SweepPoint, side: string | undefined) => string,
])[] = [
  ['IO Delay', '(per read)', shortName],
  ['Throughput', '', (point) => throughputText(point.throughputBytesPerSecond)],
  ['DCB Read', 'Time', readTime('dcb')],
  ['Brotli Read', 'Time', readTime('brotli')],
  ['Gap', '', (point, side) => millisecondsText(classicGap(point, side)?.ms)],
  ['DCB Rec.', 'Time', readTime('recompressed')],
];

function readTime(column: ClassicColumn) {
  return (point: SweepPoint, side: string | undefined): string =>
    millisecondsText(classicCell(point, column, side)?.medianMs);
}

/** `-`: not measured. */
function millisecondsText(ms: number | null | undefined): string {
  return ms === undefined ? '-' : `${figureText(ms)} ms`;
}

/** The classic rows; a sweep with variants or workloads has one block for each. */
function classicTable({ fits, points }: SweepSummary): string {
  // The five classic columns fill the page width; with a sixth they are narrower.
  const isThird = fits.some(isRecompressed);
  const columns = classicColumns.slice(0, isThird ? 6 : 5);
  const inColumns = (textOf: (column: (typeof columns)[number]) => string): string =>
    columns
      .map((column, index) => textOf(column).padEnd(isThird && index > 0 ? 13 : 16))
      .join('')
      .trimEnd();
  const rows = sidesOf({ fits }).flatMap((side) => [
    ...(side === undefined ? [] : ['', side]),
    ...points.map((point) => inColumns(([, , cellOf]) => cellOf(point, side))),
  ]);
  return [
    inColumns(([title]) => title),
    inColumns(([, below]) => below),
    light,
    ...rows,
    ...(points.some(({ delayOff }) => delayOff) ? ['! measured delay is outside tolerance'] : []),
    '',
  ].join('\n');
}

/** The verdict on every gap at every point, as sentences. */
function verdicts(summary: SweepSummary): string {
  const lines = summary.points.flatMap((point) =>
    point.gaps.map((gap) => wrap(verdictAt(point, gap), width)),
  );
  return `${lines.join('\n')}\n`;
}

function intervals(summary: SweepSummary): string {
  const lines = summary.points.flatMap((point) => [
    `${shortName(point)}, measured ${figureText(point.measuredDelayMs?.p50 ?? null)} ms (p95 ${figureText(point.measuredDelayMs?.p95 ?? null)})`,
    ...point.arms.map((arm) => {
      const reads = arm.deviceReads ?? 'unknown';
      const kib = intervalText(arm.deviceReadBytes && arm.deviceReadBytes / 1024, null, null, 0);
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
  const lines = [
    ...(plan.workloads ?? [plan.workload]).map(
      ({ title, resourceBytes }) => `Workload:          ${title} (${count(resourceBytes)} bytes)`,
    ),
    `Chromium:          ${environment.chromium.version}`,
    `Flags:             ${environment.chromium.flags.join(' ')}`,
    `Kernel:            ${environment.kernel}`,
    `System:            ${environment.os}, ${environment.cpu}, ${environment.cores} cores`,
    `Storage:           ${environment.storage}`,
    ...(environment.link === undefined ? [] : [`Link:              ${environment.link}`]),
    `Samples:           ${summary.counts.used} used of ${summary.counts.timed} timed; ${plan.samplesPerCell} requested for each cell`,
    `Flagged samples:   ${flagTexts(summary.counts.flagged).join(', ') || 'none'}`,
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
    'DCB Read Time     from fetch() to the whole body in the page, page cache dropped before;',
    `                  ${readTimeIs}`,
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
    section(`INTERVALS (95 %${gapLevelNote(summary)})`, intervals(summary)),
    ...(summary.profile ? [section('PROFILE', `${profileTable(summary.profile)}\n`)] : []),
    section('ARMS', `${armTable(summary)}\n`),
    ...(traces === '' ? [] : [section('TRACED READS', traces)]),
    section('CONDITIONS', conditions(run, summary)),
    ...(run.warnings.length > 0
      ? [section('WARNINGS', `${foldedWarnings(run.warnings).join('\n')}\n`)]
      : []),
  ].join('\n');
}
