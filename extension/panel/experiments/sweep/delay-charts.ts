import { delayOf } from '@cachescope/model/sweep/delay-checks.ts';
import { gapAt } from '@cachescope/model/sweep/gap-outcomes.ts';
import { type Sample, usable } from '@cachescope/model/run/sample.ts';
import { pairLook } from '@cachescope/model/sweep/series-look.ts';
import { isSameSeries, type Series, seriesAt, seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { shownPairs, slowPoints } from './captions.ts';
import { type DelayChart, delayChart, type DelayDataset } from '../../charts/delay-chart.ts';
import { dashAt, type LineLook, palette } from '../../charts/palette.ts';
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

/** One line of a chart over the delays. */
interface DelayLine {
  style: LineLook;
  /** The series whose disk has the delays. */
  series: Series;
  label: string;
  at: (point: SweepPoint) => Measurement | undefined;
}

/** Read time against measured delay: one line for each series, 95 % intervals, and the samples behind. */
export function readTimeChart(summary: SweepSummary, samples: readonly Sample[]): DelayChart {
  const lines = summary.fits.map((series): DelayLine => {
    const at = ({ arms }: SweepPoint) => {
      const cell = arms.find((candidate) => isSameSeries(candidate, series));
      return cell && { ms: cell.medianMs, lowMs: cell.lowMs, highMs: cell.highMs };
    };
    return { style: seriesStyle(summary, series), series, label: seriesName(series), at };
  });
  const points = slowPoints(summary);
  const dots = summary.fits.map((series) =>
    rawSamples(seriesStyle(summary, series), series, points, samples),
  );
  return delayChart([...linesAndMarks(summary, lines), ...dots], 'Read time, ms', false);
}

/** Gap against measured delay, with a line at 0: above it the first-named series is slower. */
export function gapChart(summary: SweepSummary): DelayChart {
  const pairs = shownPairs(summary);
  const lines = pairs.map((pair): DelayLine => {
    const { look, dash } = pairLook(summary.fits, pairs, pair);
    const style = { ...palette[look], dash: dashAt(dash) };
    const label = `${seriesName(pair.of)} − ${seriesName(pair.against)}`;
    return { style, series: pair.of, label, at: (point) => gapAt(point, pair) };
  });
  return delayChart(linesAndMarks(summary, lines), 'Gap, ms', true);
}

/**
 * The lines over the slow device, and for each a hollow mark without a line: the cache on ordinary storage, whose reads
 * are not part of the lines.
 */
function linesAndMarks(summary: SweepSummary, lines: readonly DelayLine[]): DelayDataset[] {
  const points = slowPoints(summary);
  const control = summary.points.filter((point) => point.storage === 'none').slice(0, 1);
  const hollow = { showLine: false, backgroundColor: 'transparent', pointHitRadius: 0 };
  return [
    ...lines.map((each) => line(each, points)),
    ...lines.map((each) => ({ ...line({ ...each, label: '' }, control), ...hollow })),
  ];
}

/** Values at measured delays, with their intervals; those that are unknown are left out. */
export function line(
  { style, series, label, at }: DelayLine,
  points: readonly SweepPoint[],
): DelayDataset {
  const data = points.flatMap((point) => {
    const x = delayOf(point, series);
    const value = at(point);
    if (x === null || !value || value.ms === null) return [];
    return [{ x, y: value.ms, yMin: value.lowMs ?? value.ms, yMax: value.highMs ?? value.ms }];
  });
  // The order of measured delays may differ from that of the requested ones.
  return { ...intervalLine(style), label, data: data.toSorted((a, b) => a.x - b.x) };
}

/** The reads of a series as faint dots. */
export function rawSamples(
  style: LineLook,
  series: Series,
  points: readonly SweepPoint[],
  samples: readonly Sample[],
): DelayDataset {
  const delays = new Map(points.map((point) => [point.requestedDelayMs, delayOf(point, series)]));
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
      return x === undefined || x === null || index % stride !== 0 ? [] : [{ x, y: readMs }];
    }),
    pointStyle: style.marker,
    pointRadius: 2.5,
    borderColor: color,
    backgroundColor: color,
    pointHitRadius: 0,
  };
}
