import { counted, digits, percent } from '@cachescope/model/quantity.ts';
import type { Comparison, GroupNames, GroupSummary } from './comparison.ts';
import type { Interval } from './interval.ts';
import { intervalWords, type IntervalWords } from './interval-words.ts';
import { fewestReadings } from './median-interval.ts';
import type { MoreReadings } from './more-readings.ts';
import type { Verdict } from './verdict.ts';

/** The words for a comparison. */
export interface Measure {
  /** For example `ms`. */
  unit: string;
  /** Word for the group with the greater values: `slower` for times, `faster` for rates, `larger` for sizes. */
  greater: string;
  lesser: string;
  /** Name of the samples, in the plural: `reads`. */
  samples: string;
}

/** Times of cached reads: greater is slower. */
export const readTimes: Measure = {
  unit: 'ms',
  greater: 'slower',
  lesser: 'faster',
  samples: 'reads',
};

/** A verdict in one English sentence: outcome, difference with its interval, p-value and effect size. */
export function verdictSentence(
  comparison: Comparison,
  verdict: Verdict,
  names: GroupNames,
  measure: Measure,
): string {
  const answer = { DIFFERENT: different, SAME: same, UNKNOWN: unknown }[verdict.outcome];
  const said = { comparison, verdict, names, measure };
  const yet = verdict.unlike ? `; yet ${unlike(said)}` : '';
  const isNarrow = comparison.scope === 'these launches' && comparison.noInterval === null;
  const only = isNarrow ? '; this holds for these launches only' : '';
  return `${answer(said)}${yet}${leftOutText(comparison, measure)}${meanText(comparison, measure)}${only}.`;
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
  const size = differenceWords(comparison, greater);
  const share = shareWords(comparison, greater);
  return [
    `${names.of} is ${word} than ${names.against} by ${size.estimate} ${measure.unit} (${confidenceText(comparison)} ${size.interval} ${measure.unit}${share && `; ${share.estimate}, ${share.interval}`})`,
    chanceText(verdict, comparison),
    effectText(comparison, names.of, greater, word, measure.samples),
  ].join('; ');
}

function same({ comparison, verdict, names }: Said): string {
  const share = shareWords(comparison, true);
  const shown = verdict.beyondChance ? ', which is significant' : '';
  return `${names.of} is the same as ${names.against} within ${percent(verdict.margin)}: their medians differ by ${share && share.estimate} (${confidenceText(comparison)} ${share && share.interval})${shown}`;
}

function unknown({ comparison, verdict, names, measure }: Said): string {
  const question = `Whether ${names.of} is ${measure.greater} or ${measure.lesser} than ${names.against} is unknown`;
  const { of, against } = comparison;
  const more = moreText(verdict.more, measure.samples);
  switch (verdict.reason) {
    case 'no usable readings':
      return `${question}: ${comparison.problems.map(({ message }) => message.replace(/\.$/, '')).join('; ')}`;
    case 'too few readings':
      return `${question}: ${of.readings} and ${against.readings} ${measure.samples} are too few for an interval, which needs ${fewestReadings} of each`;
    case 'too few launches':
      return `${question}: ${of.launches} and ${against.launches} browser launches cannot show how much launches differ; that needs 2 of each`;
    case 'baseline is 0':
      return `${question}: the median of ${names.against} is 0 ${measure.unit}, so there is no relative difference`;
    case 'poor run':
      return `${question}: inconclusive, because ${verdict.inconclusive}; ${mediansText(comparison, measure)}`;
    case 'may be chance':
      return `${question}: ${mediansText(comparison, measure)}, and ${chanceText(verdict, comparison)}${more}`;
    default:
      return `${question}: ${mediansText(comparison, measure)}, which leaves open both no difference and ${comparison.relativeInterval ? `one of ${percent(verdict.margin)} or more` : 'a large one'}${more}`;
  }
}

function mediansText(comparison: Comparison, { unit }: Measure): string {
  const size = differenceWords(comparison, true);
  const share = shareWords(comparison, true);
  return `the medians differ by ${size.estimate} ${unit} (${confidenceText(comparison)} ${size.interval} ${unit}${share && `, ${share.interval}`})`;
}

function unlike({ comparison, names, measure }: Said): string {
  const half = ({ middleHalf }: GroupSummary): string =>
    middleHalf
      ? `${intervalWords(middleHalf.low, middleHalf).interval} ${measure.unit}`
      : 'unknown';
  return `their ${measure.samples} differ: the middle half of ${names.of} is at ${half(comparison.of)}, that of ${names.against} at ${half(comparison.against)}`;
}

/** Medians of all readings, as in a table, may differ by another amount than those that are compared. */
function leftOutText({ leftOut }: Comparison, { samples }: Measure): string {
  if (leftOut === 0) return '';
  const unit = samples.replace(/s$/, '');
  return `; this leaves out ${counted(leftOut, unit)} from launches without a usable ${unit} of the other group`;
}

/** With one reading in each launch, a table shows the median of the readings. */
function meanText(comparison: Comparison, { samples }: Measure): string {
  const { of, against, method, launchUnknown } = comparison;
  const isSingle = [of, against].some(({ readings, launches }) => readings === launches);
  if (method !== 't over launches' || launchUnknown || !isSingle) return '';
  const unit = samples.replace(/s$/, '');
  return `; with one ${unit} in each launch this is the mean over the launches, not the difference of the medians of all ${samples}`;
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

/** An interval is not corrected: with one that excludes 0, a corrected p alone would look like a contradiction. */
function chanceText({ p }: Verdict, comparison: Comparison): string {
  if (p === null) return 'p is unknown';
  if (p < 0.001) return 'p < 0.001';
  const said = `p = ${Number(p.toPrecision(2))}`;
  const alone = comparison.p ?? p;
  return alone < p
    ? `${said} after Holm's correction (${Number(alone.toPrecision(2))} without it)`
    : said;
}

function effectText(
  { effect }: Comparison,
  name: string,
  greater: boolean,
  word: string,
  samples: string,
): string {
  if (effect === null) return 'the effect size is unknown';
  const more = effect.greaterShare - effect.tiedShare / 2;
  const share = greater ? more : 1 - more - effect.tiedShare;
  // Medians and most pairs of values may point in opposite directions, for example when a few values are far from the
  // others.
  const isAgainst = effect.cliffsDelta < 0 === greater && effect.cliffsDelta !== 0;
  const tied = effect.tiedShare > 0 ? ` (${roundedShare(effect.tiedShare)} tied)` : '';
  return `the effect is ${effect.size}: ${isAgainst ? 'yet only ' : ''}in ${shareOfPairs(share, samples)} ${name} is the ${word}${tied}`;
}

/** Never rounds to certainty: "all" and "no" are used only for exactly all and none. */
function shareOfPairs(share: number, samples: string): string {
  const pairs = `pairs of ${samples}`;
  if (share >= 1 - 1e-12) return `all ${pairs}`;
  return share <= 1e-12 ? `no ${pairs}` : `${roundedShare(share)} of ${pairs}`;
}

function roundedShare(share: number): string {
  const rounded = Math.round(100 * share);
  if (rounded === 100 && share < 1) return 'more than 99 %';
  return rounded === 0 ? 'less than 1 %' : `${rounded} %`;
}

/** The difference and its interval; with the sign reversed when `greater` is false. */
function differenceWords(
  { difference, differenceInterval }: Comparison,
  greater: boolean,
): IntervalWords {
  if (difference === null || differenceInterval === null)
    return { estimate: 'unknown', interval: 'unknown' };
  return turnedWords(difference, differenceInterval, greater);
}

/** The same in percent, with the percent sign; empty when unknown. */
function shareWords(
  { relative, relativeInterval }: Comparison,
  greater: boolean,
): IntervalWords | '' {
  if (relative === null || relativeInterval === null) return '';
  const { low, high } = relativeInterval;
  const words = turnedWords(100 * relative, { low: 100 * low, high: 100 * high }, greater);
  const interval = `${words.interval.replace(' to ', ' % to ')} %`;
  return { estimate: `${words.estimate} %`, interval };
}

function turnedWords(estimate: number, interval: Interval, greater: boolean): IntervalWords {
  return greater
    ? intervalWords(estimate, interval)
    : intervalWords(-estimate, { low: -interval.high, high: -interval.low });
}

function confidenceText({ confidence }: Comparison): string {
  // Three digits would show 99.95 % as 100 %. The small constant keeps 0.9995 from being 99.94 %.
  const exact = Math.floor(10_000 * confidence + 1e-6) / 100;
  return `${confidence > 0.995 ? exact : digits(100 * confidence)} % interval`;
}
