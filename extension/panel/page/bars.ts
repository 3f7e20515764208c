import type { BarsChart, ChartBar } from '@cachescope/model/page/chart.ts';
import { unknownText } from '@cachescope/model/quantity.ts';
import { Chart, type ChartConfiguration, type ChartDataset } from 'chart.js';
import {
  BarWithErrorBar,
  BarWithErrorBarsController,
  type IErrorBarXDataPoint,
} from 'chartjs-chart-error-bars';
import { barLabels } from '../charts/bar-labels.ts';
import { linearAxis } from '../charts/chart-theme.ts';
import { markLine } from '../charts/mark-line.ts';
import { palette } from '../charts/palette.ts';
import { whiskers } from '../charts/whiskers.ts';
import { token } from '../theme.ts';

Chart.register(BarWithErrorBarsController, BarWithErrorBar);

/** `isAbsent`: the label has no bar of this series, which is not an unknown value. */
type Point = Partial<IErrorBarXDataPoint> & { x: number; y: string; isAbsent?: boolean };
type Dataset = ChartDataset<'barWithErrorBars', Point[]>;
type Configuration = ChartConfiguration<'barWithErrorBars', Point[], string>;

/** Height of a chart with these bars, pixels. */
export function barsPx({ bars }: BarsChart): number {
  const [labels, series] = [labelsOf(bars).length, seriesOf(bars).size];
  return series > 1 ? 90 + labels * (18 + 26 * series) : 64 + 30 * labels;
}

/** Horizontal bars, with their values behind them, so that no pointer is needed. */
export function barsConfiguration({ bars, axis }: BarsChart): Configuration {
  const labels = labelsOf(bars);
  const series = seriesOf(bars);
  const text = (value: number | null) => (value === null ? unknownText : axis.text(value));
  return {
    type: 'barWithErrorBars',
    data: {
      labels,
      datasets: [...series].map(([label, own]) => dataset(label, own, labels)),
    },
    options: {
      indexAxis: 'y',
      // Room for the labels at the ends of the longest bars.
      layout: { padding: { right: 72 } },
      scales: {
        x: linearAxis(axis.title),
        y: { grid: { display: false }, border: { display: false } },
      },
      plugins: { legend: { display: series.size > 1 }, tooltip: { enabled: false } },
    },
    plugins: [barLabels(text), ...(axis.mark === undefined ? [] : [markLine('x', axis.mark)])],
  };
}

function labelsOf(bars: readonly ChartBar[]): string[] {
  return [...new Set(bars.map(({ label }) => label))];
}

function seriesOf(bars: readonly ChartBar[]): Map<string, ChartBar[]> {
  return Map.groupBy(bars, ({ series = '' }) => series);
}

function dataset(label: string, bars: readonly ChartBar[], labels: readonly string[]): Dataset {
  // One for each label, known or not: the chart takes a bar's row from its place here.
  const own = labels.map((row) => bars.find((bar) => bar.label === row));
  const colors = own.map((bar) => token(palette[bar?.look ?? 'neutral'].token));
  return {
    label,
    data: own.map((bar, row) => pointOf(bar, labels[row] ?? '')),
    backgroundColor: colors,
    // Some markers consist of strokes only; the legend draws them in this colour.
    borderColor: colors,
    borderWidth: 1,
    pointStyle: palette[bars[0]?.look ?? 'neutral'].marker,
    maxBarThickness: 22,
    ...whiskers(token('--sys-color-on-surface')),
  };
}

/** A bar in the form of Chart.js: NaN is unknown, and a bar without an interval has no whisker. */
function pointOf(bar: ChartBar | undefined, y: string): Point {
  const { value, low, high } = bar ?? {};
  const ends = typeof low === 'number' && typeof high === 'number' && { xMin: low, xMax: high };
  return { x: value ?? Number.NaN, y, isAbsent: bar === undefined, ...ends };
}
