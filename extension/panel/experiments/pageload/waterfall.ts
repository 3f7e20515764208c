import type { PageLoad } from '@cachescope/model/pageload/load.ts';
import type { Page } from '@cachescope/model/pageload/page.ts';
import { milliseconds } from '@cachescope/model/quantity.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { linearAxis } from '../../charts/chart-theme.ts';
import { palette } from '../../charts/palette.ts';
import { token } from '../../theme.ts';
import { answerText } from '@cachescope/model/attribution/answer-text.ts';
import { markLine } from '../../charts/mark-line.ts';

/** Colours of the sources, as in the grid; memory and disk differ. All other sources share one colour. */
const sourceTokens: Readonly<Record<string, `--${string}`>> = {
  network: palette.blue.token,
  disk: palette.green.token,
  memory: palette.purple.token,
  revalidated: palette.cyan.token,
  unknown: palette.neutral.token,
};

type Span = [fromMs: number, toMs: number];
type WaterfallChart = ChartConfiguration<'bar', (Span | null)[], number>;

/** Maximum height of one resource's bar, and of all bars together, pixels. */
const [tallestBarPx, tallestChartPx] = [9, 440];
/** Height of legend and axis, pixels. */
const framePx = 84;

/** Height of the waterfall of a page, pixels. */
export function waterfallPx({ resources }: Page): number {
  return framePx + Math.min(tallestChartPx, Math.max(60, resources.length * tallestBarPx));
}

/**
 * The waterfall of one load: one bar for each resource in the page's order, from request to last byte, with the wait
 * for the first byte in a light colour. The colour is that of the source. `toMs` is the end of the axis, so that
 * several loads can be compared.
 */
export function waterfallChart(page: Page, load: PageLoad, toMs: number): WaterfallChart {
  const sources = [...new Set(load.rows.map(({ source }) => source ?? 'unknown'))];
  return {
    type: 'bar',
    data: {
      labels: load.rows.map(({ place }) => place),
      datasets: sources.flatMap((source) => bars(load, source)),
    },
    options: {
      indexAxis: 'y',
      scales: {
        x: { ...linearAxis('Since the load began, ms'), max: toMs },
        y: { display: false, stacked: true },
      },
      plugins: {
        legend: { labels: { filter: ({ text }) => text !== '' } },
        tooltip: {
          callbacks: {
            title: ([item]) =>
              page.resources[load.rows[item?.dataIndex ?? -1]?.place ?? -1]?.url ?? '',
            label: ({ dataIndex }) => rowText(load.rows[dataIndex]),
          },
        },
      },
    },
    plugins: load.loadMs === null ? [] : [markLine('x', load.loadMs, '--sys-color-error')],
  };
}

function rowText(row: PageLoad['rows'][number] | undefined): string {
  if (!row) return '';
  const source = answerText(row.source ?? 'unknown');
  return `${source}: ${milliseconds(row.startMs)} to ${milliseconds(row.endMs)}`;
}

/** Two datasets for each source: the wait for the first byte, which has no name in the legend, and the download. */
function bars({ rows }: PageLoad, source: string): ChartDataset<'bar', (Span | null)[]>[] {
  const own = rows.map((row) => ((row.source ?? 'unknown') === source ? row : null));
  const color = token(sourceTokens[source] ?? palette.orange.token);
  const light = `color-mix(in srgb, ${color} 45%, ${token('--sys-color-cdt-base-container')})`;
  const like = { grouped: false, barPercentage: 0.9, categoryPercentage: 1, minBarLength: 2 };
  return [
    {
      ...like,
      label: answerText(source),
      data: own.map((row) => spanOf(row, 'receipt')),
      backgroundColor: color,
      borderColor: color,
      pointStyle: 'rect',
    },
    {
      ...like,
      label: '',
      data: own.map((row) => spanOf(row, 'wait')),
      backgroundColor: light,
      order: 1,
    },
  ];
}

function spanOf(row: PageLoad['rows'][number] | null, part: 'wait' | 'receipt'): Span | null {
  if (!row || row.startMs === null || row.endMs === null) return null;
  const first = Math.min(row.endMs, Math.max(row.startMs, row.responseStartMs ?? row.startMs));
  return part === 'wait' ? [row.startMs, first] : [first, row.endMs];
}
