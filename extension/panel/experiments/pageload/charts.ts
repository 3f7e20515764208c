import type { PageStatistics } from '@cachescope/model/pageload/statistics.ts';
import {
  type PageArm,
  type PageState,
  pageArmLabels,
  pageArms,
  pageCellName,
  pageStateLabels,
  pageStates,
} from '@cachescope/model/pageload/load.ts';
import { digits, milliseconds } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { linearAxis } from '../../charts/chart-theme.ts';
import type { DelayPoint } from '../../charts/delay-chart.ts';
import {
  type BarPoint,
  barPoint,
  horizontal,
  type IntervalBarChart,
} from '../../charts/interval-bars.ts';
import { pointText } from '../../charts/interval-text.ts';
import { armStyles, stateDashes } from './style.ts';
import { token } from '../../theme.ts';
import { intervalLine } from '../../charts/interval-line.ts';
import { barLabels } from '../../charts/bar-labels.ts';
import { whiskers } from '../../charts/whiskers.ts';

type LineChart = ChartConfiguration<'lineWithErrorBars', DelayPoint[]>;

const axisTitle = 'Time to the load event, ms';

/** Load times at one delay: one bar for each kind of load, the arms side by side. */
export function loadTimeBars(figures: readonly PageStatistics[]): IntervalBarChart {
  const states = pageStates.filter((state) => figures.some(({ cell }) => cell.state === state));
  const arms = pageArms.filter((arm) => figures.some(({ cell }) => cell.arm === arm));
  return {
    type: 'barWithErrorBars',
    data: {
      labels: states.map((state) => pageStateLabels[state]),
      datasets: arms.map((arm) => armBars(arm, states, figures)),
    },
    options: {
      ...horizontal(axisTitle),
      plugins: {
        tooltip: {
          callbacks: {
            label: ({ dataset: { label = '' }, raw }) => {
              const { x, xMin, xMax } = raw as BarPoint;
              return pointText(label, milliseconds(x), xMin, xMax);
            },
          },
        },
      },
    },
    plugins: [barLabels(milliseconds)],
  };
}

function armBars(
  arm: PageArm,
  states: readonly PageState[],
  figures: readonly PageStatistics[],
): ChartDataset<'barWithErrorBars', BarPoint[]> {
  const { token: color, marker } = armStyles[arm];
  return {
    type: 'barWithErrorBars',
    label: pageArmLabels[arm],
    // One for each row, known or not: the chart takes a bar's row from its place here.
    data: states.map((state) => {
      const found = figures.find(({ cell }) => cell.arm === arm && cell.state === state);
      const { loadMs = null, lowMs = null, highMs = null } = found ?? {};
      return barPoint(pageStateLabels[state], loadMs ?? Number.NaN, lowMs, highMs);
    }),
    backgroundColor: token(color),
    borderColor: token(color),
    pointStyle: marker,
    maxBarThickness: 22,
    ...whiskers(token('--sys-color-on-surface')),
  };
}

/** Load times over the read delay: one line for each kind of load and arm. */
export function loadTimeLines(figures: readonly PageStatistics[]): LineChart {
  const groups = Map.groupBy(figures, ({ cell }) => `${cell.arm} ${cell.state}`);
  return {
    type: 'lineWithErrorBars',
    data: { datasets: [...groups.values()].flatMap(line) },
    options: {
      scales: {
        x: { ...linearAxis('Read delay of the device, ms') },
        y: linearAxis(axisTitle),
      },
      plugins: {
        tooltip: {
          callbacks: {
            title: ([item]) => `${digits(item?.parsed.x ?? null)} ms of read delay`,
            label: ({ dataset: { label = '' }, raw }) => {
              const { y, yMin, yMax } = raw as DelayPoint;
              return pointText(label, milliseconds(y), yMin, yMax);
            },
          },
        },
      },
    },
  };
}

function line(figures: readonly PageStatistics[]): LineChart['data']['datasets'] {
  const [first] = figures;
  if (!first) return [];
  const { arm, state } = first.cell;
  const known = figures.filter(({ loadMs }) => loadMs !== null);
  return [
    {
      ...intervalLine({ ...armStyles[arm], dash: stateDashes[state] }),
      label: pageCellName(first.cell),
      data: known.map(({ cell, loadMs, lowMs, highMs }) => ({
        x: cell.delayMs,
        y: loadMs ?? 0,
        ...(lowMs !== null && highMs !== null && { yMin: lowMs, yMax: highMs }),
      })),
    },
  ];
}
