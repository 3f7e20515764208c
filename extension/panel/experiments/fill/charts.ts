import type { FillRow, FillSuiteSummary } from '@cachescope/model/fill/summary.ts';
import { digits, seconds, unknownText } from '@cachescope/model/quantity.ts';
import { Chart } from 'chart.js';
import { type BarChart, barChart } from '../../charts/bar-charts.ts';
import type { Figure } from '../../charts/figure.ts';
import { markLine } from '../../charts/mark-line.ts';
import { palette } from '../../charts/palette.ts';
import { token } from '../../theme.ts';

/** One of the quantities that have a figure. */
interface Quantity {
  id: string;
  name: string;
  /** What a bar is. */
  bar: string;
  msOf: (row: FillRow) => number | null;
  /** Where a line marks the axis, ms; absent: nowhere. */
  lineMs?: number;
}

/** Byte wait and time to the first byte of each system, one figure each per suite. */
export function fillFigures(suites: readonly FillSuiteSummary[]): Figure[] {
  return suites.flatMap((summary) => {
    const { idealByteWaitMs: lineMs } = summary;
    const ideal = lineMs > 0 ? `, and the line marks when it was sent, ${seconds(lineMs)}` : '';
    const byteWait: Quantity = {
      id: 'byte-wait',
      name: 'byte wait',
      bar: `average wait for a byte${ideal}`,
      msOf: ({ measures }) => measures.byteWaitMs,
      ...(lineMs > 0 && { lineMs }),
    };
    const firstByte: Quantity = {
      id: 'first-byte',
      name: 'time to first byte',
      bar: 'mean over all requests',
      msOf: ({ measures }) => measures.firstByteMs.mean,
    };
    return [byteWait, firstByte].map((quantity) => figureOf(summary, quantity));
  });
}

function figureOf({ suite, title, rows }: FillSuiteSummary, quantity: Quantity): Figure {
  return {
    // A suite's name may contain a dot, which an element's id should not.
    id: `${quantity.id}-${suite.name.replaceAll('.', '-')}`,
    title: `${title}: average ${quantity.name} (s)`,
    caption: `${shortest(rows, quantity)} Each bar is the ${quantity.bar}.`,
    heightPx: 84 + 30 * rows.length,
    draw: (canvas) => new Chart(canvas, bars(rows, quantity)),
  };
}

function shortest(rows: readonly FillRow[], { msOf }: Quantity): string {
  const known = rows.flatMap((row) => {
    const ms = msOf(row);
    // As in the finding: requests that succeeded may not have waited for the load that failed.
    const isFlagged = Object.keys(row.measures.flagged).length > 0;
    return ms === null || isFlagged || row.system === 'origin' ? [] : [{ system: row.system, ms }];
  });
  const sorted = known.toSorted((a, b) => a.ms - b.ms);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (!least || !most || least === most)
    return 'Fewer than two caches were measured without flagged requests.';
  return `Shortest behind ${least.system}, ${seconds(least.ms)}; longest behind ${most.system}, ${seconds(most.ms)}.`;
}

/** A colour for each type of system; the name is beside each bar. */
function colorOf({ system }: FillRow): string {
  if (system === 'origin') return token(palette.neutral.token);
  if (system.startsWith('nginx')) return token(palette.green.token);
  return token(system.startsWith('edge') ? palette.orange.token : palette.blue.token);
}

function bars(rows: readonly FillRow[], { name, msOf, lineMs }: Quantity): BarChart {
  const data = rows.map((row) => {
    const ms = msOf(row);
    return ms === null ? null : ms / 1000;
  });
  const dataset = { data, backgroundColor: rows.map(colorOf), maxBarThickness: 18 };
  const labels = rows.map(({ system }) => system);
  const text = (value: number | null) => (value === null ? unknownText : `${digits(value)} s`);
  const chart = barChart(labels, [dataset], `Average ${name}, s`, text, false);
  const line = lineMs === undefined ? [] : [markLine('x', lineMs / 1000)];
  return { ...chart, plugins: [...(chart.plugins ?? []), ...line] };
}
