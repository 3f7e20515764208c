import { greatest } from '@cachescope/model/extremes.ts';
import type { BreakEven } from '@cachescope/model/explain/break-even.ts';
import { networkWords } from '@cachescope/model/explain/break-even-words.ts';
import { gapAt } from '@cachescope/model/sweep/gap-outcomes.ts';
import {
  type HitModel,
  modelledInterval,
  modelledMs,
} from '@cachescope/model/explain/hit-model.ts';
import { armLabel } from '@cachescope/model/sweep/series.ts';
import type { SweepPoint } from '@cachescope/model/sweep/summary.ts';
import type { Plugin } from 'chart.js';
import {
  type DelayChart,
  delayChart,
  type DelayDataset,
  type DelayPoint,
} from '../../charts/delay-chart.ts';
import { seriesStyle } from '../../charts/series-style.ts';
import { token } from '../../theme.ts';
import { slowPoints } from '../sweep/captions.ts';
import { line, rawSamples } from '../sweep/delay-charts.ts';
import { unnamed, type WorkloadPart } from '../../run/workload-part.ts';

/** Number of segments of the model's line. */
const steps = 40;

function delaysTo(mostMs: number): number[] {
  return Array.from({ length: steps + 1 }, (_, step) => (mostMs * step) / steps);
}

function curve(
  color: string,
  width: number,
  data: DelayPoint[],
  { label = '', dash = [] }: { label?: string; dash?: readonly number[] } = {},
): DelayDataset {
  return {
    type: 'scatter',
    label,
    data,
    showLine: true,
    borderColor: color,
    backgroundColor: color,
    borderWidth: width,
    borderDash: [...dash],
    pointRadius: 0,
    pointHitRadius: 0,
    pointStyle: 'line',
  };
}

function faint(color: string, percent: number): string {
  return `color-mix(in srgb, ${color} ${percent}%, transparent)`;
}

/** Every read against the measured delay, and the model of each series with its interval. */
export function modelChart(
  { summary, samples, name }: WorkloadPart,
  models: readonly HitModel[],
): DelayChart {
  const own = models.filter(({ series }) => series.workload === name);
  const datasets = own.flatMap((model): DelayDataset[] => {
    const series = unnamed(model.series);
    const style = seriesStyle(summary, series);
    const color = token(style.token);
    const most = greatest(model.points.map(({ delayMs }) => delayMs));
    const modelled = delaysTo(most).map((x) => ({ x, y: modelledMs(model, x) }));
    const ends = delaysTo(most).flatMap((x) => {
      const interval = modelledInterval(model, x);
      return interval ? [{ x, ...interval }] : [];
    });
    return [
      curve(color, 2, modelled, { label: armLabel(series), dash: style.dash }),
      ...(['low', 'high'] as const).map((end) => {
        const least = end === 'low' ? 0 : -Infinity;
        const bound = ends.map((each) => ({ x: each.x, y: Math.max(least, each[end]) }));
        return curve(faint(color, 45), 1, bound);
      }),
      rawSamples(style, series, slowPoints(summary), samples),
    ];
  });
  return delayChart(datasets, 'Read time, ms', false);
}

/**
 * The difference between a hit of one arm and one of the baseline, modelled and measured, with a line for the transfer
 * time that the first load saved at each network rate. Rates whose lines would overlap are left out.
 */
export function breakEvenChart(
  { summary }: WorkloadPart,
  of: HitModel,
  against: HitModel,
  breakEvens: readonly BreakEven[],
): DelayChart {
  const most = greatest(of.points.map(({ delayMs }) => delayMs));
  const style = seriesStyle(summary, unnamed(of.series));
  const name = `${armLabel(of.series)} − ${armLabel(against.series)}`;
  const gap = (delayMs: number): number => modelledMs(of, delayMs) - modelledMs(against, delayMs);
  const modelled = delaysTo(most).map((x) => ({ x, y: gap(x) }));
  const pair = {
    between: 'arms' as const,
    of: unnamed(of.series),
    against: unnamed(against.series),
  };
  const at = (point: SweepPoint) => gapAt(point, pair);
  const gaps = { style, series: pair.of, label: `${name}, measured`, at };
  const measured = { ...line(gaps, slowPoints(summary)), showLine: false };
  const highest = Math.max(...[...modelled, ...measured.data].map(({ y }) => y));
  const ends = measured.data.flatMap(({ y, yMin = y, yMax = y }) => [Number(yMin), Number(yMax)]);
  const range = Math.max(highest, ...ends) - Math.min(0, ...ends);
  const neutral = token('--sys-color-on-surface-subtle');
  const saved = apart(
    breakEvens.filter((each) => networkWords(each) !== null && each.savedMs < 1.3 * highest),
    range / 12,
  );
  const lines = saved.map(({ savedMs: y }) => {
    const ends = [0, most].map((x) => ({ x, y }));
    return curve(neutral, 1.5, ends, { dash: [6, 4] });
  });
  const color = token(style.token);
  const drawn = delayChart(
    [curve(color, 2, modelled, { label: `${name}, model` }), measured, ...lines],
    'Extra cost of a hit, ms',
    true,
  );
  return { ...drawn, plugins: [rateLabels(saved)] };
}

/** Leaves out those whose lines would overlap another line or the zero line. */
function apart(breakEvens: readonly BreakEven[], leastMs: number): BreakEven[] {
  const kept: BreakEven[] = [];
  for (const each of breakEvens.toSorted((a, b) => a.savedMs - b.savedMs)) {
    if (each.savedMs - (kept.at(-1)?.savedMs ?? 0) >= leastMs) kept.push(each);
  }
  return kept;
}

/** Labels each rate above the right end of its line. */
function rateLabels(saved: readonly BreakEven[]): Plugin<'lineWithErrorBars' | 'scatter'> {
  return {
    id: 'rate-labels',
    afterDatasetsDraw({ ctx, chartArea, scales }) {
      ctx.save();
      ctx.fillStyle = token('--sys-color-on-surface-subtle');
      ctx.font = `11px ${getComputedStyle(document.body).fontFamily}`;
      ctx.textAlign = 'right';
      ctx.textBaseline = 'bottom';
      for (const each of saved) {
        const y = scales['y']?.getPixelForValue(each.savedMs) ?? 0;
        ctx.fillText(`saved at ${networkWords(each)}`, chartArea.right - 4, y - 2);
      }
      ctx.restore();
    },
  };
}
