import { digits, milliseconds } from '../quantity.ts';
import { type Measure, verdictSentence } from '../statistics/verdict-sentence.ts';
import type { Change } from './change.ts';
import type { WindowVerdict, PathVerdict, ProtocolVerdict, TransferCurve } from './curve.ts';
import { clientLabels, protocolLabels, type TransferLane } from './sample.ts';

/** Times of transfers: greater is slower. */
const transferTimes: Measure = {
  unit: 'ms',
  greater: 'slower',
  lesser: 'faster',
  samples: 'requests',
};

/** `35 KB`, `2 MB`: decimal units, as on the command line. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${digits(bytes / 1000)} KB`;
  return `${digits(bytes / 1_000_000)} MB`;
}

/** `HTTP/2, warm, in Chromium, over 20ms,50Mbit/s`. */
export function seriesLabel({ client, protocol, connection, path }: TransferLane): string {
  const way = path === undefined ? '' : `, over ${path}`;
  return `${protocolLabels[protocol]}, ${connection}, in ${clientLabels[client]}${way}`;
}

/** `3.2 round trips`; a dash for null. */
export function roundTripsText(roundTrips: number | null): string {
  return `${digits(roundTrips)} round trips`;
}

/** Short text of where a curve departs from its trend. */
export function changeText(change: Change): string {
  const { found, reason, firstOffBytes, interval, ratio } = change;
  if (found === 'unknown') return `not known: ${reason}`;
  if (found === 'none' || firstOffBytes === null) return 'none found';
  const where = interval
    ? ` (95 % interval ${sizeText(interval.low)} to ${sizeText(interval.high)})`
    : '';
  const times = ratio === null ? '' : `, to ${digits(ratio)} times the trend`;
  return `from ${sizeText(firstOffBytes)}${where}${times}`;
}

/**
 * The trend over the sizes, and where times depart from it; one line for all protocols when it is unknown for each of
 * them.
 */
export function changeLines(curves: readonly TransferCurve[]): string[] {
  const [first] = curves;
  if (first && curves.every(({ change }) => change.found === 'unknown'))
    return [`Departure from the trend ${changeText(first.change)}`];
  return curves.map(
    ({ protocol, change }) =>
      `${protocolLabels[protocol]}: ${trendText(change)}; departure ${changeText(change)}`,
  );
}

/** The trend of the sizes before the change, as text. */
function trendText({ trend }: Change): string {
  if (trend === null) return 'unknown';
  return `${milliseconds(trend.baseMs)} + ${milliseconds(trend.msPerByte * 1_000_000)} per MB`;
}

/** Each word for a verdict, and its mark in a text table. */
export const verdictMarks = {
  slower: '>',
  faster: '<',
  'the same': '=',
  'not known': '?',
} as const;

/** The word for a verdict on a protocol. */
export function verdictWord({
  verdict,
}: Pick<ProtocolVerdict, 'verdict'>): keyof typeof verdictMarks {
  if (verdict.outcome === 'SAME') return 'the same';
  if (verdict.outcome === 'UNKNOWN') return 'not known';
  return verdict.direction === 'greater' ? 'slower' : 'faster';
}

/** The verdict at one size as a sentence. */
export function verdictText({ comparison, verdict, of, against }: ProtocolVerdict): string {
  const names = { of: protocolLabels[of], against: protocolLabels[against] };
  return verdictSentence(comparison, verdict, names, transferTimes);
}

/** The verdict of a path against another as a sentence. */
export function pathVerdictText({ comparison, verdict, of, against }: PathVerdict): string {
  return verdictSentence(comparison, verdict, { of, against }, transferTimes);
}

/** The verdict of a size against one that fits into the initial window, as a sentence. */
export function windowVerdictText({ comparison, verdict, of, against }: WindowVerdict): string {
  const names = { of: sizeText(of), against: sizeText(against) };
  return verdictSentence(comparison, verdict, names, transferTimes);
}

/** `Chromium, warm, 35 KB: DIFFERENT`, and the verdict as a sentence. */
export function verdictLine(each: ProtocolVerdict): [heading: string, sentence: string] {
  const place = [clientLabels[each.client], each.connection, sizeText(each.responseBytes)];
  return [`${place.join(', ')}: ${each.verdict.outcome}`, verdictText(each)];
}
