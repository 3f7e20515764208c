import { counted, digits, percent } from '@cachescope/model/quantity.ts';
import type { Comparison, GroupNames } from './comparison.ts';
import type { Interval } from './interval.ts';
import { intervalWords } from './interval-words.ts';
import { fewestLaunches } from './launch-level.ts';
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
  /** What takes the place of a launch, for example `trial`; default `launch`. */
  launch?: string;
}

/** Times of cached reads: greater is slower. */
export const readTimes: Measure = {
  unit: 'ms',
  greater: 'slower',
  lesser: 'faster',
  samples: 'reads',
};

/**
 * A verdict in one English sentence: the verdict word, the difference with its interval and family, and what it means.
 * The interval is the one that the verdict was judged by, so a sentence cannot contradict its verdict.
 */
export function verdictSentence(
  comparison: Comparison,
  verdict: Verdict,
  names: GroupNames,
  measure: Measure,
): string {
  const answer = { DIFFERENT: different, SAME: same, UNKNOWN: unknown }[verdict.outcome];
  const said = { comparison, verdict, names, measure };
  return `${answer(said)}${leftOutText(said)}.`;
}

interface Said {
  comparison: Comparison;
  verdict: Verdict;
  names: GroupNames;
  measure: Measure;
}

function different({ comparison, verdict, names, measure }: Said): string {
  const isGreater = verdict.direction === 'greater';
  const word = isGreater ? measure.greater : measure.lesser;
  const { estimate, interval } = differenceWords(comparison, isGreater ? 1 : -1, measure.unit);
  const { relative } = comparison;
  const share = relative === null ? '' : `, ${percent(Math.abs(relative))}`;
  return `${names.of} is ${word} than ${names.against} by ${estimate}${share} (${intervalText(comparison, interval)}; ${chanceText(verdict)})${pairsText(comparison, isGreater, word, measure.samples)}`;
}

/** A few readings far from the others can move the level against most pairs of readings. */
function pairsText(
  { effect }: Comparison,
  isGreater: boolean,
  word: string,
  samples: string,
): string {
  if (effect === null) return '';
  const more = effect.greaterShare - effect.tiedShare / 2;
  const share = isGreater ? more : 1 - more - effect.tiedShare;
  const isAgainst = share + effect.tiedShare / 2 < 0.5;
  return `; ${word} in ${isAgainst ? 'only ' : ''}${shareOfPairs(share, samples)}`;
}

/** Never rounds to certainty: "all" and "no" are used only for exactly all and none. */
function shareOfPairs(share: number, samples: string): string {
  const pairs = `pairs of ${samples}`;
  if (share >= 1 - 1e-12) return `all ${pairs}`;
  if (share <= 1e-12) return `0 % of ${pairs}`;
  const rounded = Math.round(100 * share);
  if (rounded === 100) return `more than 99 % of ${pairs}`;
  return rounded === 0 ? `less than 1 % of ${pairs}` : `${rounded} % of ${pairs}`;
}

function same({ comparison, verdict, names }: Said): string {
  const { estimate, interval } = shareWords(comparison);
  const shown = verdict.beyondChance ? ', a difference that is significant and small' : '';
  return `${names.of} is the same as ${names.against} within ${percent(verdict.margin)}: it differs by ${estimate} (${intervalText(comparison, interval)})${shown}`;
}

function unknown({ comparison, verdict, names, measure }: Said): string {
  const question = `Unknown whether ${names.of} is ${measure.greater} or ${measure.lesser} than ${names.against}`;
  const { of, against, problems } = comparison;
  switch (verdict.reason) {
    case 'no usable readings':
      return `${question}: ${problems.map(({ message }) => message.replace(/\.$/, '')).join('; ')}`;
    case 'too few launches':
      return `${question}: that needs at least ${launchCount(fewestLaunches, measure)} of each, and there are ${of.launches} and ${against.launches}`;
    case 'inconclusive': {
      const { estimate, interval } = differenceWords(comparison, 1, measure.unit);
      return `${question}: inconclusive, because ${verdict.inconclusive}; the difference is ${estimate} (${intervalText(comparison, interval)})`;
    }
    default:
      return `${question}: ${openText({ comparison, verdict, names, measure })}`;
  }
}

function openText({ comparison, verdict, measure }: Said): string {
  const { estimate, interval } = differenceWords(comparison, 1, measure.unit);
  const said = `the difference is ${estimate} (${intervalText(comparison, interval)})`;
  if (verdict.reason === 'baseline is 0')
    return `${said}, and ${percent(verdict.margin)} of a baseline of 0 ${measure.unit} is 0`;
  return `${said}; the interval includes 0 and exceeds ±${percent(verdict.margin)}`;
}

/** `95 % interval 28.5 to 31.5 ms, for 12 comparisons together`. */
function intervalText({ confidence, family }: Comparison, interval: string): string {
  const together = family > 1 ? `, for ${family} comparisons together` : '';
  return `${confidenceText(confidence)} interval ${interval}${together}`;
}

/** `95 %`, `97.5 %`. */
export function confidenceText(confidence: number): string {
  // Three digits would show 99.95 % as 100 %. The small constant keeps 0.9995 from being 99.94 %.
  const exact = Math.floor(10_000 * confidence + 1e-6) / 100;
  return `${confidence > 0.995 ? exact : digits(100 * confidence)} %`;
}

function chanceText({ p }: Verdict): string {
  if (p === null) return 'p is unknown';
  return p < 0.001 ? 'p < 0.001' : `p = ${Number(p.toPrecision(2))}`;
}

/** The levels that are compared may then differ from those of a table. */
function leftOutText({ comparison: { leftOut }, measure }: Said): string {
  if (leftOut === 0) return '';
  const unit = measure.samples.replace(/s$/, '');
  return `; this leaves out ${counted(leftOut, unit)} without a usable ${unit} of the other group in the same ${measure.launch ?? 'launch'}`;
}

function launchCount(count: number, { launch = 'launch' }: Measure): string {
  const plural = /(s|sh|ch|x)$/.test(launch) ? `${launch}es` : `${launch}s`;
  return `${count} ${count === 1 ? launch : plural}`;
}

/** The difference and its interval with their unit. */
function differenceWords(
  { difference, differenceInterval }: Comparison,
  sign: 1 | -1,
  unit: string,
): { estimate: string; interval: string } {
  if (difference === null || differenceInterval === null)
    return { estimate: 'unknown', interval: 'unknown' };
  const words = intervalWords(sign * difference, turned(differenceInterval, sign));
  return { estimate: `${words.estimate} ${unit}`, interval: `${words.interval} ${unit}` };
}

/** The same in percent. */
function shareWords({ relative, relativeInterval }: Comparison): {
  estimate: string;
  interval: string;
} {
  if (relative === null || relativeInterval === null)
    return { estimate: 'unknown', interval: 'unknown' };
  const { low, high } = relativeInterval;
  const words = intervalWords(100 * relative, { low: 100 * low, high: 100 * high });
  return {
    estimate: `${words.estimate} %`,
    interval: `${words.interval.replace(' to ', ' % to ')} %`,
  };
}

function turned({ low, high }: Interval, sign: 1 | -1): Interval {
  return sign === 1 ? { low, high } : { low: -high, high: -low };
}
