import type { FillRow, FillSuiteSummary } from '@cachescope/model/fill/suite-summary.ts';
import { digits, seconds, unknownText } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import { type BarChart, barChart } from '../../charts/bar-charts.ts';
import type { Figure } from '../../charts/figure.ts';
import { palette } from '../../charts/palette.ts';
import { token } from '../../theme.ts';
import { markLine } from '../../charts/mark-line.ts';

/** Byte wait and time to the first byte of each system, one figure each per suite. */
export function fillFigures(suites: readonly FillSuiteSummary[]): Figure[] {
  return suites.flatMap((summary) => [waitFigure(summary), firstByteFigure(summary)]);
}

function heightPx({ rows }: FillSuiteSummary): number {
  return 84 + 30 * rows.length;
}

function waitFigure(summary: FillSuiteSummary): Figure {
  const { suite, title, idealByteWaitMs: idealMs, rows } = summary;
  const ideal = idealMs > 0 ? `, and the line marks when it was sent, ${seconds(idealMs)}` : '';
  return {
    id: `byte-wait-${idOf(suite.name)}`,
    title: `${title}: average byte wait (s)`,
    caption: `${shortest(rows, (row) => row.measures.byteWaitMs)} Each bar is the average wait for a byte${ideal}.`,
    heightPx: heightPx(summary),
    draw: (canvas) =>
      new Chart(
        canvas,
        bars(rows, 'Average byte wait, s', (row) => row.measures.byteWaitMs, idealMs),
      ),
  };
}

function firstByteFigure(summary: FillSuiteSummary): Figure {
  const { suite, title, rows } = summary;
  return {
    id: `first-byte-${idOf(suite.name)}`,
    title: `${title}: average time to first byte (s)`,
    caption: `${shortest(rows, (row) => row.measures.firstByteMs.mean)} Each bar is the mean over all requests.`,
    heightPx: heightPx(summary),
    draw: (canvas) =>
      new Chart(
        canvas,
        bars(rows, 'Average time to first byte, s', (row) => row.measures.firstByteMs.mean, 0),
      ),
  };
}

/** A suite's name may contain a dot, which an element's id should not. */
function idOf(name: string): string {
  return name.replaceAll('.', '-');
}

function shortest(rows: readonly FillRow[], of: (row: FillRow) => number | null): string {
  const known = rows.flatMap((row) => {
    const ms = of(row);
    return ms === null || row.system === 'origin' ? [] : [{ system: row.system, ms }];
  });
  const sorted = known.toSorted((a, b) => a.ms - b.ms);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (!least || !most || least === most) return 'One cache alone was measured.';
  return `Shortest behind ${least.system}, ${seconds(least.ms)}; longest behind ${most.system}, ${seconds(most.ms)}.`;
}

/** A colour for each type of system; the name is beside each bar. */
function colorOf({ system }: FillRow): string {
  if (system === 'origin') return token(palette.neutral.token);
  if (system.startsWith('nginx')) return token(palette.green.token);
  return token(system.startsWith('edge') ? palette.orange.token : palette.blue.token);
}

function bars(
  rows: readonly FillRow[],
  axis: string,
  of: (row: FillRow) => number | null,
  lineMs: number,
): BarChart {
  const data = rows.map((row) => {
    const ms = of(row);
    return ms === null ? null : ms / 1000;
  });
  const dataset = { data, backgroundColor: rows.map(colorOf), maxBarThickness: 18 };
  const labels = rows.map(({ system }) => system);
  const chart = barChart(labels, [dataset], axis, secondsText, false);
  return {
    ...chart,
    plugins: [...(chart.plugins ?? []), ...(lineMs > 0 ? [markLine('x', lineMs / 1000)] : [])],
  };
}

function secondsText(value: number | null): string {
  return value === null ? unknownText : `${digits(value)} s`;
}
