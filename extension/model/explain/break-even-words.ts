import type { BreakEven, NetworkSaving } from './break-even.ts';
import { codingLabels } from '../coding.ts';
import type { DiskPrediction } from './explanation.ts';
import { digits, milliseconds } from '../quantity.ts';
import { isSameSeries, type Series, seriesName } from '../sweep/series.ts';

const list = new Intl.ListFormat('en', { type: 'conjunction' });

/** `0.55 ms (95 % interval 0.54 to 0.57)`. */
export function delayOfBreakEven({ delayMs, interval }: BreakEven): string {
  const { low = null, high = null } = interval ?? {};
  return `${milliseconds(delayMs)} (95 % interval ${digits(low)} to ${digits(high)})`;
}

/** `above 0.552 [0.541, 0.569] ms`, `none shown`: the delays of a device read at which a hit is slower. */
export function breakEvenWords({ slower, delayMs, interval }: BreakEven): string {
  if (slower === null || interval === null) return 'none shown';
  return `${slower} ${digits(delayMs)} [${digits(interval.low)}, ${digits(interval.high)}] ms`;
}

/** The same, as a sentence about a hit. */
export function breakEvenSentence(breakEven: BreakEven): string {
  return isBreakEvenShown(breakEven)
    ? `The hit costs more ${breakEvenWords(breakEven)} a device read.`
    : `No break-even ${rangeText(breakEven)} is shown.`;
}

/** Whether the run shows a break-even. */
export function isBreakEvenShown({ slower }: BreakEven): boolean {
  return slower !== null;
}

/** `between 0.2 and 10.3 ms a device read`: the measured range. */
export function rangeText({ measuredMs: { low, high } }: BreakEven): string {
  return `between ${digits(low)} and ${milliseconds(high)} a device read`;
}

/**
 * The same, as a sentence that names both series: `DCB is slower than Brotli where a device read takes more than 0.552
 * ms (...)`.
 */
export function breakEvenFinding(breakEven: BreakEven): string {
  const { slower, of, against } = breakEven;
  const [one, other] = [of, against].map(seriesName);
  if (slower === null)
    return `No break-even of ${one} and ${other} ${rangeText(breakEven)} is shown.`;
  return `Break-even delay: ${one} is slower than ${other} where a device read takes ${slower === 'above' ? 'more' : 'less'} than ${delayOfBreakEven(breakEven)}.`;
}

/** `9 Mbit/s`, or the link over which the saving was measured; null: none is subtracted. */
export function networkWords({ networkBitsPerSecond: rate, link }: NetworkSaving): string | null {
  if (link !== undefined) return link;
  return rate === null ? null : `${digits(rate / 1e6)} Mbit/s`;
}

/** A row of a table of break-evens: the hit, `the hits alone` or `9 Mbit/s`, the time saved at that rate, ms, and the delays. */
export function breakEvenRow(breakEven: BreakEven): string[] {
  const network = networkWords(breakEven);
  const saved = network === null ? '' : digits(breakEven.savedMs);
  return [seriesName(breakEven.of), network ?? 'the hits alone', saved, breakEvenWords(breakEven)];
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
