import {
  halvingText,
  heterogeneityText,
  type MachineGap,
  rangeText,
  relativeSd,
  signedPercent,
  varianceText,
} from '@cachescope/model/sweep/machine-gaps.ts';
import { wrap } from '../../results/wrap.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { Interval } from '@cachescope/model/statistics/interval.ts';
import { type CsvColumns, csvOf } from '@cachescope/model/csv.ts';
import type { MachineEffect } from '@cachescope/model/sweep/saved-summary.ts';

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
  const { relative, interval, prediction } = pooled;
  const where = storage === 'none' ? 'control' : `read delay ${requestedDelayMs} ms`;
  const shown: Row[] = [
    ...pooled.machines.map(({ machine, ...row }) => ({ name: machine, ...row })),
    { name: 'all', relative, interval },
    ...(prediction ? [{ name: 'next', relative, interval: prediction }] : []),
  ];
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
  const range = interval ? rangeText(interval) : 'interval unknown';
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

interface MachineRow extends Omit<MachineEffect, 'launches'> {
  gap: MachineGap;
  launches: number | null;
  /** null in the rows of single machines. */
  variance: MachineGap['variance'];
}

const machineColumns: CsvColumns<MachineRow> = {
  of: ({ gap }) => seriesName(gap.of),
  against: ({ gap }) => seriesName(gap.against),
  storage: ({ gap }) => gap.storage,
  delay_ms: ({ gap }) => gap.requestedDelayMs,
  machine: ({ machine }) => machine,
  launches: ({ launches }) => launches,
  effect_share: ({ relative }) => relative,
  effect_low_share: ({ interval }) => interval?.low,
  effect_high_share: ({ interval }) => interval?.high,
  machine_sd_share: ({ variance }) => relativeSd(variance?.components.machine),
  launch_sd_share: ({ variance }) => relativeSd(variance?.components.launch),
  read_sd_share: ({ variance }) => relativeSd(variance?.components.read),
  halved_machines: ({ variance }) => variance?.halved?.machines,
  halved_launches: ({ variance }) => variance?.halved?.launches,
  halved_reads: ({ variance }) => variance?.halved?.reads,
};

/** machines.csv: a row per pair and machine, and one per pair for all machines. */
export function machinesCsv(gaps: readonly MachineGap[]): string {
  const rows = gaps.flatMap((gap): MachineRow[] => {
    const { machines, relative, interval } = gap.pooled;
    const all = { machine: 'all', launches: null, relative, interval, variance: gap.variance };
    return [...machines.map((each) => ({ gap, ...each, variance: null })), { gap, ...all }];
  });
  return csvOf(machineColumns, rows);
}
