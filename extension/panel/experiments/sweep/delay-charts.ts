import { gapAt } from '@cachescope/model/sweep/gap-outcomes.ts';
import { type Sample, usable } from '@cachescope/model/run/sample.ts';
import {
  isSameSeries,
  type Series,
  seriesAt,
  seriesName,
  type SeriesPair,
} from '@cachescope/model/sweep/series.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { shownPairs } from './captions.ts';
import { type DelayChart, delayChart, type DelayDataset } from '../../charts/delay-chart.ts';
import type { LineLook } from '../../charts/palette.ts';
import { seriesStyle } from '../../charts/series-style.ts';
import { token } from '../../theme.ts';
import { intervalLine } from '../../charts/interval-line.ts';

/** Maximum number of samples drawn for one series; more would merge into a solid block. */
const mostDots = 4000;

/** A value at the measured delay; without an interval its bar has length 0. */
interface Measurement {
  ms: number | null;
  lowMs: number | null;
  highMs: number | null;
}

/** Read time against measured delay: one line for each series, 95 % intervals, and the samples behind. */
export function readTimeChart(summary: SweepSummary, samples: readonly Sample[]): DelayChart {
  const points = slowPoints(summary);
  const control = controlPoint(summary);
  const cellAt = (point: SweepPoint, series: Series): Measurement | undefined =>
    asMeasurement(point.arms.find((candidate) => isSameSeries(candidate, series)));
  const datasets = summary.fits.map((series) => {
    const style = seriesStyle(summary, series);
    const measured = points.map((point) => [point, cellAt(point, series)] as const);
    return {
      line: line(style, seriesName(series), measured),
      mark: controlMark(style, control, control && cellAt(control, series)),
      dots: rawSamples(style, series, points, samples),
    };
  });
  const drawn = (['line', 'mark', 'dots'] as const).flatMap((kind) =>
    datasets.map((dataset) => dataset[kind]),
  );
  return delayChart(drawn, 'Read time, ms', false);
}

/** Gap against measured delay, with a line at 0: above it the first-named series is slower. */
export function gapChart(summary: SweepSummary): DelayChart {
  const points = slowPoints(summary);
  const control = controlPoint(summary);
  const pairs = lookOfPairs(summary);
  const lines = pairs.map(({ pair, style }) =>
    line(
      style,
      `${seriesName(pair.of)} − ${seriesName(pair.against)}`,
      points.map((point) => [point, gapAt(point, pair)]),
    ),
  );
  const marks = pairs.map(({ pair, style }) =>
    controlMark(style, control, control && gapAt(control, pair)),
  );
  return delayChart([...lines, ...marks], 'Gap, ms', true);
}

/** Each pair with the look of its first series, or of its second if an earlier pair already has that look. */
function lookOfPairs(summary: SweepSummary): { pair: SeriesPair; style: LineLook }[] {
  const taken = new Set<string>();
  return shownPairs(summary).map((pair) => {
    const own = seriesStyle(summary, pair.of);
    const style = taken.has(own.token) ? seriesStyle(summary, pair.against) : own;
    taken.add(style.token);
    return { pair, style };
  });
}

/** The cache on ordinary storage; its reads are not part of the lines, which show the slow device. */
function controlPoint(summary: SweepSummary): SweepPoint | undefined {
  return summary.points.find((point) => point.storage === 'none' && point.measuredDelayMs);
}

/** A hollow mark with its interval, without a line. */
function controlMark(
  style: LineLook,
  control: SweepPoint | undefined,
  value: Measurement | undefined,
): DelayDataset {
  const mark = line(style, '', control ? [[control, value]] : []);
  return { ...mark, showLine: false, backgroundColor: 'transparent', pointHitRadius: 0 };
}

/** The points of the slow device, in ascending order of measured delay, which may differ from that of the requested delay. */
export function slowPoints(summary: SweepSummary): SweepPoint[] {
  return summary.points
    .filter((point) => point.storage !== 'none' && point.measuredDelayMs)
    .toSorted((a, b) => (a.measuredDelayMs?.p50 ?? 0) - (b.measuredDelayMs?.p50 ?? 0));
}

function asMeasurement(cell: SweepPoint['arms'][number] | undefined): Measurement | undefined {
  return cell && { ms: cell.medianMs, lowMs: cell.lowMs, highMs: cell.highMs };
}

/** Values at measured delays, with their intervals; those that are unknown are left out. */
export function line(
  style: LineLook,
  label: string,
  measurements: readonly (readonly [SweepPoint, Measurement | undefined])[],
): DelayDataset {
  return {
    ...intervalLine(style),
    label,
    data: measurements.flatMap(([point, value]) => {
      const x = point.measuredDelayMs?.p50;
      if (x === undefined || !value || value.ms === null) return [];
      return [{ x, y: value.ms, yMin: value.lowMs ?? value.ms, yMax: value.highMs ?? value.ms }];
    }),
  };
}

/** The reads of a series as faint dots. */
export function rawSamples(
  style: LineLook,
  series: Series,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): DelayDataset {
  const delays = new Map(
    points.map((point) => [point.requestedDelayMs, point.measuredDelayMs?.p50]),
  );
  const own = usable(samples).filter(
    ({ cell }) => cell.storage !== 'none' && isSameSeries(seriesAt(cell), series),
  );
  const stride = Math.ceil(own.length / mostDots);
  const color = `color-mix(in srgb, ${token(style.token)} 28%, transparent)`;
  return {
    type: 'scatter',
    label: '',
    data: own.flatMap(({ cell, readMs }, index) => {
      const x = delays.get(cell.delayMs);
      return x === undefined || index % stride !== 0 ? [] : [{ x, y: readMs }];
    }),
    pointStyle: style.marker,
    pointRadius: 2.5,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}
