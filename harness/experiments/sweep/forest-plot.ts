import { type MachineGap, signedPercent } from '@cachescope/model/sweep/machine-gaps.ts';
import { wrap } from '../../results/wrap.ts';
import {
  halvingText,
  heterogeneityText,
  varianceText,
} from '@cachescope/model/sweep/machine-words.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { csvText } from '@cachescope/model/csv.ts';

/** Width of the scale, characters. */
const width = 33;

interface Row {
  name: string;
  relative: number;
  interval: Interval | null;
}

/**
 * Forest plots as text: a row per machine, then the pooled effect and the prediction for a further machine. Empty for a
 * run that was not merged.
 */
export function forestPlots(gaps: readonly MachineGap[]): string {
  return gaps.map(forestPlot).join('\n');
}

function forestPlot(gap: MachineGap): string {
  const { of, against, storage, requestedDelayMs, pooled, variance } = gap;
  const where = storage === 'none' ? 'control' : `read delay ${requestedDelayMs} ms`;
  const all = { name: 'all', relative: pooled.relative, interval: pooled.interval };
  const rows: Row[] = [
    ...pooled.machines.map(({ machine, ...row }) => ({ name: machine, ...row })),
    all,
  ];
  const further = pooled.prediction
    ? [{ name: 'next', relative: pooled.relative, interval: pooled.prediction }]
    : [];
  const shown = [...rows, ...further];
  const ends = shown.flatMap(({ relative, interval }) => [
    relative,
    ...(interval ? [interval.low, interval.high] : []),
  ]);
  const scale = { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
  const nameWidth = Math.max(7, ...shown.map(({ name }) => name.length));
  return [
    `${seriesName(of)} against ${seriesName(against)}, ${where}`,
    ...shown.map((row) => line(row, scale, nameWidth)),
    ...[heterogeneityText(pooled.heterogeneity), varianceText(variance), halvingText(variance)]
      .filter(Boolean)
      .map((sentence) => wrap(sentence, 80)),
    '',
  ].join('\n');
}

function line({ name, relative, interval }: Row, scale: Interval, nameWidth: number): string {
  const range = interval
    ? `${signedPercent(interval.low)} to ${signedPercent(interval.high)}`
    : 'interval unknown';
  return `${name.padEnd(nameWidth)} ${signedPercent(relative).padStart(9)}  ${range.padEnd(23)} ${bar(relative, interval, scale)}`.trimEnd();
}

/** `|` marks no effect, `*` the estimate, `-` its interval. */
function bar(relative: number, interval: Interval | null, { low, high }: Interval): string {
  const placeOf = (value: number) =>
    high === low ? 0 : Math.round(((value - low) / (high - low)) * (width - 1));
  const marks = Array.from({ length: width }, () => ' ');
  if (interval)
    for (let at = placeOf(interval.low); at <= placeOf(interval.high); at++) marks[at] = '-';
  marks[placeOf(0)] = '|';
  marks[placeOf(relative)] = '*';
  return marks.join('');
}

/** machines.csv: a row per pair and machine, and one per pair for all machines. */
export function machinesCsv(gaps: readonly MachineGap[]): string {
  const head = [
    'of',
    'against',
    'storage',
    'delay_ms',
    'machine',
    'launches',
    'relative',
    'low',
    'high',
    'sd_machine',
    'sd_launch',
    'sd_read',
    'halved_machines',
    'halved_launches',
    'halved_reads',
  ];
  const rows = gaps.flatMap(({ of, against, storage, requestedDelayMs, pooled, variance }) => {
    const pair = [seriesName(of), seriesName(against), storage, requestedDelayMs];
    const each = pooled.machines.map(({ machine, launches, relative, interval }) => [
      ...pair,
      machine,
      launches,
      relative,
      interval?.low,
      interval?.high,
      ...Array.from({ length: 6 }, () => null),
    ]);
    const { relative, interval } = pooled;
    const { components, halved } = variance ?? {};
    const all = [
      ...pair,
      'all',
      null,
      relative,
      interval?.low,
      interval?.high,
      ...[components?.machine, components?.launch, components?.read].map(relativeSd),
      halved?.machines,
      halved?.launches,
      halved?.reads,
    ];
    return [...each, all];
  });
  return csvText(head, rows);
}

/** Relative standard deviation of a variance of logarithms: 0.1 is 10 %. */
function relativeSd(variance: number | undefined): number | null {
  return variance === undefined ? null : Math.expm1(Math.sqrt(variance));
}
