import type { LinesChart } from '../page/chart.ts';
import { digits, milliseconds } from '../quantity.ts';
import { delayOf } from '../sweep/delay-checks.ts';
import { gapBetween } from '../sweep/gap-outcomes.ts';
import type { SweepPoint } from '../sweep/result.ts';
import { armLabel, type Series } from '../sweep/series.ts';
import type { SeriesLook } from '../sweep/series-look.ts';
import type { BreakEven } from './break-even.ts';
import { breakEvenSentence, networkWords } from './break-even-words.ts';

/** The series of a break-even as the points name them, their look, and what distinguishes the chart from others. */
interface Pair {
  of: Series;
  against: Series;
  look: SeriesLook;
  id: string;
  /** Behind the title: `, pdf.js`. */
  where?: string;
}

/**
 * The extra time of a hit over the delays, modelled with its interval and measured, the break-even with its interval,
 * and the time that the first load saved at each network rate. `breakEvens`: the hits alone, then each rate. Nothing
 * where the model has no intervals.
 */
export function breakEvenChart(
  breakEvens: readonly BreakEven[],
  points: readonly SweepPoint[],
  { of, against, look, id, where = '' }: Pair,
): LinesChart[] {
  const [hits, ...rates] = breakEvens;
  if (!hits?.extra) return [];
  const [one, other] = [armLabel(of), armLabel(against)];
  const modelled = hits.extra.map(({ delayMs: x, ms: y, lowMs: low, highMs: high }) => {
    return { x, y, low, high };
  });
  const measured = points.flatMap((point) => {
    const gap = point.storage === 'none' ? undefined : gapBetween(point, of, against);
    const x = delayOf(point, of);
    return gap && x !== null ? [{ x, y: gap.ms, low: gap.lowMs, high: gap.highMs }] : [];
  });
  const limits = limitsOf(rates, [...modelled, ...measured]);
  const savings =
    limits.length > 0
      ? ' Above a dotted line, a hit costs more than the first load saved at that rate.'
      : '';
  return [
    {
      kind: 'lines',
      id,
      title: `Extra time of a ${one} hit over a ${other} hit${where} (ms)`,
      caption: `${breakEvenSentence(hits)} The line is the model with its 95 % interval, marks are measured differences.${hits.interval ? ' The dashed line is the break-even, the shaded range its interval.' : ''} Above 0, ${one} is slower.${savings}`,
      x: {
        title: 'Measured read delay of the device, ms',
        text: (ms) => `${milliseconds(ms)} measured delay`,
        ...(hits.interval && hits.delayMs !== null && { mark: hits.delayMs, band: hits.interval }),
      },
      y: { title: `${one} − ${other}, ms`, text: milliseconds, isDifference: true },
      lines: [
        { label: `${one} − ${other}, model`, ...look, form: 'band', points: modelled },
        { label: 'measured', ...look, form: 'marks', points: measured },
      ],
      limits,
    },
  ];
}

/** Savings in the range of the chart, without those whose lines would overlap. */
function limitsOf(
  rates: readonly BreakEven[],
  points: readonly { y: number | null; low: number | null; high: number | null }[],
): NonNullable<LinesChart['limits']> {
  const values = points.flatMap(({ y, low, high }) => [y ?? 0, low ?? 0, high ?? 0]);
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const kept: BreakEven[] = [];
  for (const each of rates.toSorted((a, b) => a.savedMs - b.savedMs)) {
    const isApart = each.savedMs - (kept.at(-1)?.savedMs ?? 0) >= (greatest - least) / 12;
    if (networkWords(each) !== null && each.savedMs < 1.3 * greatest && isApart) kept.push(each);
  }
  return kept.map((each) => ({
    name: `${digits(each.savedMs)} ms saved at ${networkWords(each)}`,
    value: each.savedMs,
  }));
}
