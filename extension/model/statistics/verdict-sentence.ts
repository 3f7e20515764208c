import { digits } from '@cachescope/model/quantity.ts';
import type { Comparison, GroupNames } from './comparison.ts';
import { holds, type Interval } from './interval.ts';
import { fewestReadings } from './median-interval.ts';
import type { MoreReadings } from './more-readings.ts';
import type { Verdict } from './verdict.ts';

/** What is compared, in words. */
export interface Measure {
  /** For example `ms`. */
  unit: string;
  /** What a group with the greater values is: `slower` for times, `faster` for rates, `larger` for sizes. */
  greater: string;
  lesser: string;
  /** What one sample is, in the plural: `reads`. */
  samples: string;
}

/** Times of cached reads: the greater, the slower. */
export const readTimes: Measure = {
  unit: 'ms',
  greater: 'slower',
  lesser: 'faster',
  samples: 'reads',
};

/** A verdict in one English sentence: what, by how much with its interval, how likely, how large. */
export function verdictSentence(
  comparison: Comparison,
  verdict: Verdict,
  names: GroupNames,
  measure: Measure,
): string {
  const said = { comparison, verdict, names, measure };
  const yet = verdict.unlike ? `; yet ${unlike(said)}` : '';
  const isNarrow = comparison.scope === 'these launches' && comparison.noInterval === null;
  const only = isNarrow ? '; this holds for these launches only' : '';
  return `${answer(said)}${yet}${only}.`;
}

function answer(said: Said): string {
  switch (said.verdict.outcome) {
    case 'DIFFERENT':
      return different(said);
    case 'SAME':
      return same(said);
    default:
      return unknown(said);
  }
}

interface Said {
  comparison: Comparison;
  verdict: Verdict;
  names: GroupNames;
  measure: Measure;
}

function different({ comparison, verdict, names, measure }: Said): string {
  const greater = verdict.direction === 'greater';
  const word = greater ? measure.greater : measure.lesser;
  const size = `${digits(Math.abs(comparison.difference ?? Number.NaN))} ${measure.unit}`;
  const interval = between(turned(comparison.differenceInterval, greater), measure.unit);
  return [
    `${names.of} is ${word} than ${names.against} by ${size} (${confidenceText(comparison)} ${interval}${shareText(comparison, greater)})`,
    chanceText(verdict.p),
    effectText(comparison, names.of, greater, word, measure.samples),
  ].join('; ');
}

function same({ comparison, verdict, names }: Said): string {
  const share = percent(comparison.relative);
  const interval = comparison.relativeInterval;
  const shown = interval && !holds(interval, 0) ? ', which is not chance' : '';
  return `${names.of} is the same as ${names.against} within ${percent(verdict.margin)}: their medians differ by ${share} (${confidenceText(comparison)} ${percentBetween(interval)})${shown}`;
}

function unknown({ comparison, verdict, names, measure }: Said): string {
  const question = `Whether ${names.of} is ${measure.greater} or ${measure.lesser} than ${names.against} is not known`;
  const { of, against } = comparison;
  switch (verdict.reason) {
    case 'no usable readings':
      return `${question}: ${comparison.problems.map(({ message }) => message.replace(/\.$/, '')).join('; ')}`;
    case 'too few readings':
      return `${question}: ${of.readings} and ${against.readings} ${measure.samples} are too few for an interval, which needs ${fewestReadings} of each`;
    case 'too few launches':
      return `${question}: ${of.launches} and ${against.launches} browser launches cannot show how much launches differ, which takes 2 of each`;
    case 'baseline is 0':
      return `${question}: the median of ${names.against} is 0 ${measure.unit}, and no share of 0 can be computed`;
    case 'may be chance':
      return `${question}: ${mediansText(comparison, measure)}, and ${chanceText(verdict.p)}${moreText(verdict.more, measure.samples)}`;
    default:
      return `${question}: ${tooWide(comparison, verdict, measure)}${moreText(verdict.more, measure.samples)}`;
  }
}

function tooWide(comparison: Comparison, verdict: Verdict, measure: Measure): string {
  return `${mediansText(comparison, measure)}, which leaves open both no difference and one above ${percent(verdict.margin)}`;
}

function mediansText(comparison: Comparison, { unit }: Measure): string {
  const { difference, differenceInterval, relativeInterval } = comparison;
  return `the medians differ by ${digits(difference)} ${unit} (${confidenceText(comparison)} ${between(differenceInterval, unit)}, ${percentBetween(relativeInterval)})`;
}

function unlike({ comparison, names, measure }: Said): string {
  const half = (interval: Interval | null): string => between(interval, measure.unit);
  return `their ${measure.samples} are not alike: the middle half of ${names.of} lies at ${half(comparison.of.middleHalf)}, that of ${names.against} at ${half(comparison.against.middleHalf)}`;
}

function moreText(more: MoreReadings | null, samples: string): string {
  if (more === null) return '';
  const about = more.atLeast ? 'more than' : 'about';
  const launches =
    more.launches === null
      ? ''
      : `, in ${more.launches} more ${more.launches === 1 ? 'launch' : 'launches'},`;
  return `; ${about} ${more.readings} more ${samples} of each${launches} would probably settle it`;
}

function chanceText(p: number | null): string {
  if (p === null) return 'how likely that is by chance is not known';
  const by = 'by chance alone it would look so in';
  if (p < 0.001) return `${by} fewer than 1 of 1,000 comparisons`;
  const [count, of] = p < 0.01 ? [p * 1000, '1,000'] : [p * 100, '100'];
  return `${by} about ${Math.round(count)} of ${of} comparisons`;
}

function effectText(
  { effect }: Comparison,
  name: string,
  greater: boolean,
  word: string,
  samples: string,
): string {
  if (effect === null) return 'how large that is among single values is not known';
  const share = greater ? effect.greaterShare : 1 - effect.greaterShare;
  return `the effect is ${effect.size}: in ${ofHundred(share, samples)} ${name} is the ${word}`;
}

/** Never rounds to certainty: all and none are said only when it is so. */
function ofHundred(share: number, samples: string): string {
  if (share === 1) return `all ${samples}`;
  if (share === 0) return `no ${samples}`;
  const count = Math.round(100 * share);
  if (count === 100) return `more than 99 of 100 ${samples}`;
  return count === 0 ? `fewer than 1 of 100 ${samples}` : `${count} of 100 ${samples}`;
}

function shareText({ relative, relativeInterval }: Comparison, greater: boolean): string {
  if (relative === null) return '';
  const interval = turned(relativeInterval, greater);
  const range = interval ? `, ${percentBetween(interval)}` : '';
  return `; ${percent(Math.abs(relative))}${range}`;
}

/** An interval of how much more as one of how much less, when the direction is down. */
function turned(interval: Interval | null, greater: boolean): Interval | null {
  return interval === null || greater ? interval : { low: -interval.high, high: -interval.low };
}

function confidenceText({ confidence }: Comparison): string {
  return `${digits(100 * confidence)} % interval`;
}

function between(interval: Interval | null, unit: string): string {
  return interval ? `${digits(interval.low)} to ${digits(interval.high)} ${unit}` : 'unknown';
}

function percentBetween(interval: Interval | null): string {
  return interval ? `${percent(interval.low)} to ${percent(interval.high)}` : 'unknown';
}

function percent(share: number | null): string {
  return share === null ? 'unknown' : `${digits(100 * share)} %`;
}
