import type { BreakEven } from './break-even.ts';
import { codingLabels } from '../coding.ts';
import type { DiskPrediction } from './explanation.ts';
import { digits, milliseconds } from '../quantity.ts';
import { isSameSeries, type Series, seriesName } from '../sweep/series.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** `0.55 ms (95 % interval 0.54 to 0.57)`. With one launch at each delay, the interval is unknown, and it says so. */
export function delayOfBreakEven({ delayMs, interval }: BreakEven): string {
  if (interval === null) return `${milliseconds(delayMs)} (95 % interval unknown)`;
  const low = interval.low === null ? '0' : digits(interval.low);
  const range = interval.high === null ? `${low} or more` : `${low} to ${digits(interval.high)}`;
  return `${milliseconds(delayMs)} (95 % interval ${range})`;
}

/**
 * `above 0.552 [0.541, 0.569] ms`, `always`, `always, not shown`: the delays of a device read at which a hit is slower.
 */
export function breakEvenWords({ slower, delayMs, interval, isShown }: BreakEven): string {
  if (slower === 'always' || slower === 'never') return isShown ? slower : `${slower}, not shown`;
  if (interval === null) return `${slower} ${digits(delayMs)} ms, interval unknown`;
  const low = interval.low === null ? '0' : digits(interval.low);
  const high = interval.high === null ? '∞' : digits(interval.high);
  return `${slower} ${digits(delayMs)} [${low}, ${high}] ms`;
}

/** The same, as a sentence about a hit. */
export function breakEvenSentence(breakEven: BreakEven): string {
  const { slower, delayMs, interval, isShown } = breakEven;
  const doubt = isShown ? '' : ', which is not shown';
  if (slower === 'always') return `The hit costs more at every delay${doubt}.`;
  if (slower === 'never') return `The hit costs more at no delay${doubt}.`;
  if (interval === null)
    return `The hit costs more ${slower} ${milliseconds(delayMs)} a device read; its 95 % interval is unknown.`;
  if (!isBreakEvenKnown(breakEven)) return 'The run does not show where the hit costs more.';
  const open = undecidedDevices(breakEven);
  const rest = open === null ? '' : `; for ${open} devices this run does not show it`;
  return `The hit costs more ${breakEvenWords(breakEven)} a device read${rest}.`;
}

/** Whether the model shows it. An interval that is open at both ends contains every delay. */
export function isBreakEvenKnown({ isShown, interval }: BreakEven): boolean {
  return isShown && !(interval !== null && interval.low === null && interval.high === null);
}

/**
 * The devices for which a break-even delay does not show which hit is faster: those on the side where its interval is
 * open. null: it shows it on both sides, or its interval is unknown.
 */
export function undecidedDevices({ interval }: BreakEven): 'faster' | 'slower' | null {
  if (interval?.low === null) return 'faster';
  return interval?.high === null ? 'slower' : null;
}

/**
 * The same, as a sentence that names both series: `DCB is slower than Brotli where a device read takes more than 0.552
 * ms (...)`. Where the interval is open, the sentence is about the other side of the delay.
 */
export function breakEvenFinding(breakEven: BreakEven): string {
  const { slower, of, against } = breakEven;
  const [one, other] = [of, against].map(seriesName);
  if (!isBreakEvenKnown(breakEven))
    return `The model does not show a break-even delay of ${one} and ${other}.`;
  if (slower === 'always') return `By the model ${one} is slower than ${other} at every delay.`;
  if (slower === 'never') return `By the model ${one} is faster than ${other} at every delay.`;
  const open = undecidedDevices(breakEven);
  const isAbove = open === null ? slower === 'above' : open === 'faster';
  const way = isAbove === (slower === 'above') ? 'slower' : 'faster';
  const rest = open ? `; for ${open} devices this run does not show which is faster` : '';
  return `Break-even delay: ${one} is ${way} than ${other} where a device read takes ${isAbove ? 'more' : 'less'} than ${delayOfBreakEven(breakEven)}${rest}.`;
}

/** A row of a table of break-evens: the hit, `the hits alone` or `9 Mbit/s`, the time saved at that rate, ms, and the delays. */
export function breakEvenRow(breakEven: BreakEven): string[] {
  const { of, networkBitsPerSecond: rate, savedMs } = breakEven;
  const network =
    rate === null ? ['the hits alone', ''] : [`${digits(rate / 1e6)} Mbit/s`, digits(savedMs)];
  return [seriesName(of), ...network, breakEvenWords(breakEven)];
}

/**
 * The disks of the profiles on which `instead` would be faster than `today`, slower, or not decided, in one sentence;
 * null when nothing is known.
 */
export function onDisks(
  predictions: readonly DiskPrediction[],
  today: Series,
  instead: Series,
): string | null {
  const of = predictions.filter(({ series }) => isSameSeries(series, today));
  const judged = of.flatMap(({ disk, interval }) => {
    const other = predictions.find(
      (each) => each.disk.name === disk.name && isSameSeries(each.series, instead),
    )?.interval;
    if (!interval || !other) return [];
    if (other.high < interval.low) return [{ name: disk.name, way: 'faster' }];
    if (other.low > interval.high) return [{ name: disk.name, way: 'slower' }];
    return [{ name: disk.name, way: 'not decided' }];
  });
  const parts = ['faster', 'slower', 'not decided'].flatMap((way) => {
    const names = judged.filter((each) => each.way === way).map(({ name }) => name);
    return names.length === 0 ? [] : [`${way} on ${list.format(names)}`];
  });
  if (parts.length === 0) return null;
  return `With published values, ${codingLabels[instead.arm]} would be ${parts.join(', ')}.`;
}
