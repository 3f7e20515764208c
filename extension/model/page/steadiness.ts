import { greatest, least } from '../extremes.ts';
import { digits } from '../quantity.ts';
import type { RunBase } from '../run/base.ts';
import { machineStrips } from '../run/machine-strips.ts';
import { median, quantile } from '../statistics/quantile.ts';
import type { Axis, Chart, ChartLine, LookName, Place } from './chart.ts';

/** One measurement that the statistics use. */
export interface SingleValue {
  /** Measurements with equal names measured the same. */
  cell: string;
  /** Number of its launch, from 0; or of its pass or round. */
  launch: number;
  /** ISO 8601, UTC; absent: not recorded. */
  takenAt?: string;
  value: number;
}

/** The measurements of one series. */
export interface SingleSeries {
  label: string;
  look: LookName;
  dash?: number;
  values: readonly SingleValue[];
}

/** The words of an experiment for one measurement, and for what repeats it. */
interface Words {
  /** `read`. */
  one: string;
  /** `launch` and `launches`, `pass` and `passes`. */
  group: string;
  groups: string;
}

/** A measurement as its difference from the median of its cell, %. */
interface Relative {
  launch: number;
  /** null: unknown. */
  timeMs: number | null;
  percent: number;
}

/** A cell with fewer measurements has no median to compare them with. */
const fewestOfCell = 3;
/** Share of the width of a launch that its measurements take. */
const launchWidth = 0.8;

/**
 * Whether measurements were steady: each one by launch, and over the time of the run, above the machine's load and the
 * delay proofs. All cells are in one chart, because a measurement is shown as its difference from its cell's median.
 */
export function steadinessCharts(
  run: RunBase,
  all: readonly SingleSeries[],
  words: Words,
): Chart[] {
  const medians = mediansOf(all);
  const series = all
    .map((each) => ({ ...each, values: relativeTo(medians, each.values) }))
    .filter(({ values }) => values.length > 0);
  const shares = series.flatMap(({ values }) => values.map(({ percent }) => percent));
  if (shares.length === 0) return [];
  const y: Axis = {
    title: 'Difference from the median, %',
    text: (percent) => `${percent > 0 ? '+' : ''}${digits(percent)} %`,
    isDifference: true,
    range: rangeOf(shares),
  };
  return [
    ...byLaunch(series, y, words),
    // The machines of a merged run have times of their own.
    ...(run.merged ? [] : overTime(run, series, y, words)),
  ];
}

type Series = Omit<SingleSeries, 'values'> & { values: readonly Relative[] };

function mediansOf(all: readonly SingleSeries[]): ReadonlyMap<string, number> {
  const cells = Map.groupBy(
    all.flatMap(({ values }) => values),
    ({ cell }) => cell,
  );
  return new Map(
    [...cells].flatMap(([cell, own]) => {
      const middle = own.length < fewestOfCell ? null : median(own.map(({ value }) => value));
      return middle === null || middle <= 0 ? [] : [[cell, middle] as const];
    }),
  );
}

function relativeTo(
  medians: ReadonlyMap<string, number>,
  values: readonly SingleValue[],
): Relative[] {
  return values.flatMap(({ cell, launch, takenAt, value }) => {
    const middle = medians.get(cell);
    if (middle === undefined) return [];
    return [
      {
        launch,
        timeMs: takenAt === undefined ? null : Date.parse(takenAt),
        percent: 100 * (value / middle - 1),
      },
    ];
  });
}

/** Nearly all values: a few far ones must not compress the others. */
function rangeOf(shares: readonly number[]): readonly [number, number] {
  const [low, high] = [quantile(shares, 0.01) ?? 0, quantile(shares, 0.99) ?? 0];
  return [5 * Math.floor(Math.min(-5, 1.2 * low) / 5), 5 * Math.ceil(Math.max(5, 1.2 * high) / 5)];
}

/** The median of each launch at its place of the horizontal axis. */
function levels(values: readonly Relative[], xOf: (own: readonly Relative[]) => number): Place[] {
  const launches = [...Map.groupBy(values, ({ launch }) => launch).values()];
  return launches
    .map((own) => ({ x: xOf(own), y: median(own.map(({ percent }) => percent)) ?? 0 }))
    .toSorted((one, other) => one.x - other.x);
}

function byLaunch(series: readonly Series[], y: Axis, { one, group, groups }: Words): Chart[] {
  const launches = series.flatMap(({ values }) => values.map(({ launch }) => launch + 1));
  const ends = [least(launches), greatest(launches)] as const;
  if (ends[0] === ends[1]) return [];
  const width = launchWidth / series.length;
  const lines = series.map(({ values, ...look }, place): ChartLine => {
    const middle = (launch: number) => launch + 1 + (place + 0.5) * width - launchWidth / 2;
    return {
      ...look,
      form: 'marks',
      points: levels(values, ([first]) => middle(first?.launch ?? 0)),
      single: values.map(({ launch, percent }, index) => ({
        x: middle(launch) + 0.8 * width * (spread(index) - 0.5),
        y: percent,
      })),
    };
  });
  return [
    {
      kind: 'lines',
      id: 'by-launch',
      isWide: true,
      title: `Every ${one} by ${group} (% from the median of its cell)`,
      caption: `Small marks are single ${one}s, large ones the median of each ${group}. Columns at different heights: ${groups} differ, and intervals are wide. Beyond the frame, marks are at its edge.`,
      x: {
        title: `${group.charAt(0).toUpperCase()}${group.slice(1)}`,
        text: (x) => `${group} ${Math.round(x)}`,
        range: [ends[0] - 0.5, ends[1] + 0.5],
        isWhole: true,
      },
      y,
      lines,
    },
  ];
}

/** Spreads neighbours evenly over 0 to 1 (multiples of the golden ratio); the same for every drawing. */
function spread(index: number): number {
  return (index * 0.618_033_988_75) % 1;
}

function overTime(
  run: RunBase,
  series: readonly Series[],
  y: Axis,
  { one, groups }: Words,
): Chart[] {
  const times = series.flatMap(({ values }) => values.flatMap(({ timeMs }) => timeMs ?? []));
  const startMs = Date.parse(run.startedAt);
  const lengthMs = greatest([...times, startMs]) - startMs;
  if (lengthMs === 0) return [];
  const [unit, unitMs] = lengthMs > 300_000 ? ['min', 60_000] : ['s', 1000];
  const at = (timeMs: number) => (timeMs - startMs) / unitMs;
  const { strips: beneath, about } = machineStrips(run, at);
  return [
    {
      kind: 'lines',
      id: 'over-time',
      isWide: true,
      title: `Every ${one} over the run (% from the median of its cell)`,
      caption: `Lines join the medians of the ${groups}; where they are level, nothing drifted.${about}`,
      x: {
        title: `Time since the start, ${unit}`,
        text: (x) => `${digits(x)} ${unit}`,
        range: [0, 1.02 * at(startMs + lengthMs)],
      },
      y,
      lines: series.map(({ values, ...look }): ChartLine => ({
        ...look,
        points: levels(values, (own) =>
          at(median(own.flatMap(({ timeMs }) => timeMs ?? [])) ?? startMs),
        ),
        single: values.flatMap(({ timeMs, percent }) =>
          timeMs === null ? [] : [{ x: at(timeMs), y: percent }],
        ),
      })),
      beneath,
    },
  ];
}
