import { greatest } from '@cachescope/model/extremes.ts';
import { countSources } from '@cachescope/model/load/summary.ts';
import { count, digits, milliseconds } from '@cachescope/model/quantity.ts';
import { Chart, type ChartConfiguration } from 'chart.js';
import { linearAxis } from '../../charts/chart-theme.ts';
import type { Figure } from '../../charts/figure.ts';
import type { ShownLoad } from '../../panel-state.ts';
import { plainSides } from '../../charts/series-style.ts';
import { token } from '../../theme.ts';
import { answerText } from '@cachescope/model/attribution/answer-text.ts';

type Point = { x: number; y: number };

/** Names and styles of the two loads: A and B, as in every comparison. */
const styles = [
  { name: 'A', ...plainSides[0] },
  { name: 'B', ...plainSides[1] },
] as const;

/** Distributions of two loads: of the duration of a resource, and of the sources of resources. */
export function compareFigures(before: ShownLoad, after: ShownLoad): Figure[] {
  const loads = [before, after];
  return [
    {
      id: 'durations',
      title: 'Share of resources complete within a time',
      caption: durationCaption(loads),
      heightPx: heightOf(loads),
      draw: (canvas) => new Chart(canvas, durationChart(loads)),
    },
    {
      id: 'sources',
      title: 'Resources by source (count)',
      caption: 'Length: number of resources from that source.',
      heightPx: heightOf(loads),
      draw: (canvas) => new Chart(canvas, sourceChart(loads)),
    },
  ];
}

/** The two charts are side by side and have the same height. */
function heightOf(loads: readonly ShownLoad[]): number {
  return Math.max(260, 80 + 44 * sourceNames(loads).length);
}

function durationsOf({ rows }: ShownLoad): number[] {
  return rows
    .flatMap(({ resource: { durationMs } }) => (durationMs === null ? [] : [durationMs]))
    .toSorted((one, other) => one - other);
}

function durationCaption(loads: readonly ShownLoad[]): string {
  const words = loads.map((load, place) => {
    const durations = durationsOf(load);
    const half = durations[Math.ceil(durations.length / 2) - 1] ?? null;
    return `${styles[place]?.name} within ${milliseconds(half)}`;
  });
  const unknown = loads.flatMap((load, place) => {
    const [all, missing] = [load.rows.length, load.rows.length - durationsOf(load).length];
    return missing === 0 ? [] : `${count(missing)} of ${count(all)} in ${styles[place]?.name}`;
  });
  const left = `Not counted, because their time is unknown: ${unknown.join(' and ')}.`;
  return `Half of the resources were complete in ${words.join(' and in ')}. A line further left is faster.${unknown.length > 0 ? ` ${left}` : ''}`;
}

/** The parts of a load's dataset that are the same in both charts. */
function lookOf(place: number) {
  const style = styles[place] ?? styles[0];
  const color = token(style.token);
  return {
    label: style.name,
    pointStyle: style.marker,
    borderColor: color,
    backgroundColor: color,
  };
}

function durationChart(loads: readonly ShownLoad[]): ChartConfiguration<'scatter', Point[]> {
  const longest = greatest(loads.map((load) => durationsOf(load).at(-1) ?? 0));
  const datasets = loads.map((load, place) => {
    const durations = durationsOf(load);
    const steps = durations.map((x, at) => ({ x, y: (100 * (at + 1)) / durations.length }));
    return {
      ...lookOf(place),
      // From 0 to the end, so that both lines span the chart.
      data: steps.length > 0 ? [{ x: 0, y: 0 }, ...steps, { x: longest, y: 100 }] : [],
      showLine: true,
      stepped: 'before' as const,
      pointRadius: 0,
      borderDash: [...(styles[place]?.dash ?? [])],
      borderWidth: 2,
    };
  });
  return {
    type: 'scatter',
    data: { datasets },
    options: {
      scales: { x: linearAxis('Time, ms'), y: { ...linearAxis('Resources, %'), max: 100 } },
      plugins: { tooltip: { enabled: false } },
    },
  };
}

function sourceNames(loads: readonly ShownLoad[]): string[] {
  return [...new Set(loads.flatMap(({ rows }) => countSources(rows).map(({ source }) => source)))];
}

function sourceChart(loads: readonly ShownLoad[]): ChartConfiguration<'bar', number[], string> {
  const names = sourceNames(loads);
  const datasets = loads.map(({ rows }, place) => {
    const counts = new Map(countSources(rows).map(({ source, count }) => [source, count]));
    const data = names.map((name) => counts.get(name) ?? 0);
    return { ...lookOf(place), data, maxBarThickness: 14 };
  });
  const countOf = (place: number, at: number): string => digits(datasets[place]?.data[at] ?? 0);
  return {
    type: 'bar',
    data: {
      labels: names.map((name, at) => `${answerText(name)}  ${countOf(0, at)} → ${countOf(1, at)}`),
      datasets,
    },
    options: {
      indexAxis: 'y',
      scales: { x: linearAxis('Resources'), y: { grid: { display: false } } },
      plugins: { tooltip: { enabled: false } },
    },
  };
}
