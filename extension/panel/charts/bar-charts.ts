import { byteSize, digits } from '@cachescope/model/quantity.ts';
import { seriesName } from '@cachescope/model/sweep/series.ts';
import type { ArmFit, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import type { ChartConfiguration, ChartDataset } from 'chart.js';
import { barLabels } from './bar-labels.ts';
import { linearAxis } from './chart-theme.ts';
import type { Look } from './palette.ts';
import { seriesStyle } from './series-style.ts';
import { token } from '../theme.ts';

/** Horizontal bars; null is unknown. */
export type BarChart = ChartConfiguration<'bar', (number | null)[], string>;

/** Device reads per cached read, one bar for each series. */
export function deviceReadsChart(summary: SweepSummary): BarChart {
  return armBars(summary, 'Device reads', (fit) => fit.deviceReads, digits);
}

/** KiB read from the device per cached read, one bar for each series. */
export function deviceBytesChart(summary: SweepSummary): BarChart {
  const title = 'Read from the device, KiB';
  return armBars(summary, title, (fit) => kibibytes(fit.deviceReadBytes), kibibyteText);
}

/** Bytes on the wire, stored and decoded, with one bar for each series. */
export function bytesChart(summary: SweepSummary): BarChart {
  const datasets = summary.fits.map((fit) =>
    bars(
      seriesName(fit),
      seriesStyle(summary, fit),
      [fit.wireBytes, fit.storedBytes, fit.decodedBytes].map(kibibytes),
    ),
  );
  const labels = ['On the wire', 'Stored', 'Decoded'];
  // Variant names are too long for bar labels; the legend shows them.
  const text = summary.fits.some(({ variant }) => variant !== undefined) ? kibibyteText : armText;
  return barChart(labels, datasets, 'Size, KiB', text, true);
}

function kibibyteText(kib: number | null): string {
  return byteSize(kib === null ? null : kib * 1024);
}

function armText(kib: number | null, arm: string): string {
  return `${arm} ${kibibyteText(kib)}`;
}

function armBars(
  summary: SweepSummary,
  title: string,
  valueOf: (fit: ArmFit) => number | null,
  text: (value: number | null) => string,
): BarChart {
  const { fits } = summary;
  const dataset: BarChart['data']['datasets'][number] = {
    label: title,
    data: fits.map(valueOf),
    backgroundColor: fits.map((fit) => token(seriesStyle(summary, fit).token)),
    maxBarThickness: 26,
  };
  return barChart(fits.map(seriesName), [dataset], title, text, false);
}

/** A series of bars in one look. */
export function bars(
  label: string,
  { token: color, marker }: Look,
  data: (number | null)[],
): ChartDataset<'bar', (number | null)[]> {
  return {
    label,
    data,
    backgroundColor: token(color),
    // Some markers consist of strokes only; the legend draws them in this colour.
    borderColor: token(color),
    borderWidth: 1,
    pointStyle: marker,
    maxBarThickness: 22,
  };
}

function kibibytes(bytes: number | null): number | null {
  return bytes === null ? null : bytes / 1024;
}

/** Horizontal bars with the values at their ends. */
export function barChart(
  labels: string[],
  datasets: BarChart['data']['datasets'],
  title: string,
  text: (value: number | null, label: string) => string,
  legend: boolean,
): BarChart {
  return {
    type: 'bar',
    data: { labels, datasets },
    options: {
      indexAxis: 'y',
      // Room for the labels at the ends of the longest bars.
      layout: { padding: { right: legend ? 108 : 72 } },
      scales: { x: linearAxis(title), y: { grid: { display: false }, border: { display: false } } },
      plugins: { legend: { display: legend }, tooltip: { enabled: false } },
    },
    plugins: [barLabels(text)],
  };
}
