import { milliseconds } from '@cachescope/model/quantity.ts';
import type { ChartLine, ChartPoint, LinesChart, Place } from '@cachescope/model/page/chart.ts';
import { type Sample, usable } from '@cachescope/model/run/sample.ts';
import { delayOf } from '@cachescope/model/sweep/delay-checks.ts';
import { gapAt } from '@cachescope/model/sweep/gap-outcomes.ts';
import { pairLook, seriesLook, type SeriesLook } from '@cachescope/model/sweep/series-look.ts';
import { isSameSeries, type Series, seriesAt, seriesName } from '@cachescope/model/sweep/series.ts';
import type { SweepPoint, SweepSummary } from '@cachescope/model/sweep/summary.ts';
import { gapCaption, readTimeCaption, shownPairs, slowPoints } from './captions.ts';

/** One line of a chart over the delays. */
interface DelayLine extends SeriesLook {
  /** The series whose disk has the delays. */
  series: Series;
  label: string;
  at: (
    point: SweepPoint,
  ) => { ms: number | null; lowMs: number | null; highMs: number | null } | undefined;
  single?: readonly Place[];
}

/** The axes of times against measured delay. */
export function delayAxes(title: string, isDifference = false): Pick<LinesChart, 'x' | 'y'> {
  return {
    x: {
      title: 'Measured read delay of the device, ms',
      text: (ms) => `${milliseconds(ms)} measured delay`,
    },
    y: { title, text: milliseconds, isDifference },
  };
}

/** Read time against measured delay: one line for each series, 95 % intervals, and the samples behind. */
export function readTimeChart(summary: SweepSummary, samples: readonly Sample[]): LinesChart {
  const { fits } = summary;
  const lines = fits.map((series): DelayLine => {
    const at = ({ arms }: SweepPoint) => {
      const cell = arms.find((candidate) => isSameSeries(candidate, series));
      return cell && { ms: cell.medianMs, lowMs: cell.lowMs, highMs: cell.highMs };
    };
    const single = singleReads(summary, series, samples);
    return { ...seriesLook(fits, series), series, label: seriesName(series), at, single };
  });
  return {
    kind: 'lines',
    id: 'read-time',
    title: 'Read time against measured delay (ms)',
    caption: `${readTimeCaption(summary)} Marks are geometric means of the launches' medians, bars 95 % intervals, ${samples.length > 0 ? 'faint marks single reads, ' : ''}hollow marks the control.`,
    ...delayAxes('Read time, ms'),
    lines: withControl(summary, lines),
  };
}

/** Gap against measured delay, with a line at 0: above it the first-named series is slower. */
export function gapChart(summary: SweepSummary): LinesChart {
  const pairs = shownPairs(summary);
  const lines = pairs.map((pair): DelayLine => ({
    ...pairLook(summary.fits, pairs, pair),
    series: pair.of,
    label: `${seriesName(pair.of)} − ${seriesName(pair.against)}`,
    at: (point) => gapAt(point, pair),
  }));
  return {
    kind: 'lines',
    id: 'gap',
    title: 'Gap between read times (ms)',
    caption: `${gapCaption(summary)} Above zero, the arm named first is slower.`,
    ...delayAxes('Gap, ms', true),
    lines: withControl(summary, lines),
  };
}

/**
 * The lines over the slow device, and for each a hollow mark: the cache on ordinary storage, whose reads are not part of
 * the lines.
 */
function withControl(summary: SweepSummary, lines: readonly DelayLine[]): ChartLine[] {
  const slow = slowPoints(summary);
  const control = summary.points.filter((point) => point.storage === 'none').slice(0, 1);
  return [
    ...lines.map((line): ChartLine => ({ ...line, points: pointsOf(line, slow) })),
    ...lines.map(({ look, ...line }): ChartLine => ({
      label: '',
      look,
      form: 'hollow',
      points: pointsOf(line, control),
    })),
  ];
}

function pointsOf(
  { series, at }: Pick<DelayLine, 'series' | 'at'>,
  points: readonly SweepPoint[],
): ChartPoint[] {
  const known = points.flatMap((point) => {
    const x = delayOf(point, series);
    const value = at(point);
    return x === null || !value ? [] : [{ x, y: value.ms, low: value.lowMs, high: value.highMs }];
  });
  // The order of measured delays may differ from that of the requested ones.
  return known.toSorted((a, b) => a.x - b.x);
}

/** The reads of a series on the slow device, at its measured delays. */
export function singleReads(
  summary: SweepSummary,
  series: Series,
  samples: readonly Sample[],
): Place[] {
  const delays = new Map(
    slowPoints(summary).map((point) => [point.requestedDelayMs, delayOf(point, series)]),
  );
  return usable(samples).flatMap(({ cell, readMs }) => {
    const x = delays.get(cell.delayMs);
    const isOwn = cell.storage !== 'none' && isSameSeries(seriesAt(cell), series);
    return isOwn && x !== undefined && x !== null ? [{ x, y: readMs }] : [];
  });
}
