import { greatest, least } from '../extremes.ts';
import { counted, digits, percent, unitOf } from '../quantity.ts';
import { cellKey } from '../run/sample.ts';
import type { Interval } from '../statistics/interval.ts';
import { passCosts } from './machine-design.ts';
import { leastMachines, type MachineReading, pooledEffect } from './machine-effect.ts';
import { machineVariance } from './machine-variance.ts';
import { cellAt, type Place, type SweepReads } from './reads.ts';
import type { SweepRun } from './run.ts';
import type { MachineDesign, MachineVariance, PooledEffect } from './saved-summary.ts';
import { pairsOf, type Series, type SeriesPair, seriesName } from './series.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** The difference of two series at one point, on each machine and over all machines. */
export interface MachineGap extends SeriesPair, Place {
  pooled: PooledEffect;
  /** null: unknown, because a source cannot be separated or the series do not share their launches. */
  variance: MachineVariance | null;
}

/** The gaps of a merged run by machine; empty for a run that was not merged. */
export function machineGaps(
  { plan, merged }: Pick<SweepRun, 'plan' | 'merged'>,
  places: readonly Place[],
  reads: SweepReads,
): MachineGap[] {
  if (!merged) return [];
  const costOf = passCosts(reads.launchTimes);
  return places.flatMap((place) =>
    pairsOf(plan).flatMap((pair) => {
      const readings = (series: Series): MachineReading[] =>
        reads.cells.get(cellKey(cellAt(place, series)))?.machineReadings() ?? [];
      const [of, against] = [readings(pair.of), readings(pair.against)];
      const pooled = pooledEffect(of, against);
      if (!pooled) return [];
      return [{ ...pair, ...place, pooled, variance: machineVariance(of, against, costOf) }];
    }),
  );
}

/** The machines for which the results are valid, in sentences. Empty without machines. */
export function machineSentences(gaps: readonly MachineGap[]): string[] {
  return [...scopeSentences(gaps), ...gaps.filter(disagrees).map(disagreement)];
}

/** An effect is over the machines that read both of its series: their number can differ from point to point. */
function scopeSentences(gaps: readonly MachineGap[]): string[] {
  if (gaps.length === 0) return [];
  const broad = gaps.filter(({ pooled }) => pooled.scope === 'any machine');
  const narrow = gaps.filter((gap) => !broad.includes(gap));
  if (broad.length === 0) return [narrowSentence(narrow)];
  const machines = broad.map(({ pooled }) => pooled.machines.length);
  const [few, most] = [least(machines), greatest(machines)];
  const range = (less: number) => [...new Set([few - less, most - less])].join(' to ');
  const places = [...Map.groupBy(narrow, pairText)].map(
    ([pair, own]) => `${pair} at ${list.format(own.map(placeText))}`,
  );
  return [
    `Effects over ${range(0)} machines hold for any machine of their kind (Student's t over machines, ${range(1)} degrees of freedom); all other intervals hold for these machines.`,
    ...(places.length > 0
      ? [
          `Effects with usable reads on fewer than ${leastMachines} machines hold for these machines only: ${places.join('; ')}.`,
        ]
      : []),
  ];
}

function narrowSentence(gaps: readonly MachineGap[]): string {
  const names = new Set(
    gaps.flatMap(({ pooled }) => pooled.machines.map(({ machine }) => machine)),
  );
  return `Effects hold for ${names.size === 1 ? 'this machine' : 'these machines'} only (${[...names].join(', ')}): ${leastMachines} machines or more at a point are needed for an interval that holds for others.`;
}

function pairText({ of, against }: MachineGap): string {
  return `${seriesName(of)} against ${seriesName(against)}`;
}

function placeText({ storage, requestedDelayMs }: Place): string {
  return storage === 'none' ? 'the control' : `${requestedDelayMs} ms`;
}

/** 75 % of the variance between machines is not due to chance: Higgins and others 2003 call it high. */
const highHeterogeneity = 0.75;

function disagrees({ pooled: { heterogeneity } }: MachineGap): boolean {
  return (heterogeneity ?? 0) >= highHeterogeneity;
}

function disagreement(gap: MachineGap): string {
  const { pooled } = gap;
  const effects = pooled.machines.toSorted((a, b) => a.relative - b.relative);
  const said = [effects[0], effects.at(-1)].flatMap((each) =>
    each ? [`${signedPercent(each.relative)} on ${each.machine}`] : [],
  );
  return `Machines disagree on ${pairText(gap)} at ${placeText(gap)}: ${said.join(', ')} (I² ${Math.round(100 * (pooled.heterogeneity ?? 0))} %).`;
}

/** `+12.3 %`. */
export function signedPercent(share: number): string {
  const text = (100 * share).toFixed(1);
  return `${Number(text) >= 0 ? '+' : ''}${text} %`;
}

/** The pooled effect of a pair in sentences: mean, scope of its interval, prediction, heterogeneity. */
export function machineCaption(pooled: PooledEffect): string {
  const { machines, relative, interval, scope, prediction, heterogeneity } = pooled;
  const range = interval
    ? `95 % CI ${rangeText(interval)}; holds for ${scope === 'any machine' ? 'any machine of their kind' : 'these machines only'}`
    : 'interval unknown';
  const further = prediction ? ` Next machine: ${rangeText(prediction)}.` : '';
  const over = machines.length === 1 ? 'On 1 machine' : `Mean of ${machines.length} machines`;
  return `${over}: ${signedPercent(relative)} (${range}).${further} ${heterogeneityText(heterogeneity)}.`;
}

/** Limits of Higgins, Thompson, Deeks and Altman, "Measuring inconsistency in meta-analyses" (2003), highest first. */
const grades = [
  [0.75, 'high: machines differ far more than chance explains'],
  [0.5, 'moderate: machines differ more than chance explains'],
  [0.25, 'low: chance explains most of the differences between machines'],
  [0, 'chance explains the differences between machines'],
] as const;

/** I² with its meaning: `I² 91 %, high: ...`. */
export function heterogeneityText(share: number | null): string {
  if (share === null) return 'I² unknown: it needs two machines, and three launches on each';
  const [, words] = grades.find(([from]) => share >= from) ?? grades[3];
  return `I² ${Math.round(100 * share)} %, ${words}`;
}

/** Standard deviations of the effect by source: `SD between machines 9.9 %, between launches 2.7 %, between reads 4.4 %`. */
export function varianceText(variance: MachineVariance | null): string {
  if (variance === null)
    return 'Variance by source unknown: it needs 2 launches with 2 reads of each series';
  const { machine, launch, read } = variance.components;
  return `SD between machines ${spreadText(machine)}, between launches ${spreadText(launch)}, between reads ${spreadText(read)}`;
}

/** The relative standard deviation of a variance of logarithms: 0.1 is 10 %; null: unknown. */
export function relativeSd(variance: number | undefined): number | null {
  return variance === undefined ? null : Math.expm1(Math.sqrt(variance));
}

/** The same as text: `7.95 %`; the dash for unknown. */
export function spreadText(variance: number | undefined): string {
  return percent(relativeSd(variance));
}

/** `+11.2 % to +36.5 %`. */
export function rangeText({ low, high }: Interval): string {
  return `${signedPercent(low)} to ${signedPercent(high)}`;
}

/** What would halve the interval for the least machine time, and what the run took. Empty when unknown. */
export function halvingText(variance: MachineVariance | null): string {
  const { now, halved } = variance ?? {};
  if (!now || !halved) return '';
  return `Half the interval for the least machine time: ${designText(halved)} (now ${designText(now)})`;
}

/** `14 machines x 2 launches x 1 read, 1.92 h`. */
export function designText({ machines, launches, reads, machineTimeMs }: MachineDesign): string {
  const size = `${counted(machines, 'machine')} x ${digits(launches)} ${launches === 1 ? 'launch' : 'launches'} x ${digits(reads)} ${unitOf(reads, 'read')}`;
  const minutes = machineTimeMs / 60_000;
  return `${size}, ${minutes < 100 ? `${digits(minutes)} min` : `${digits(minutes / 60)} h`}`;
}
