import { digits, milliseconds } from '../quantity.ts';
import type { Measure } from '../statistics/verdict-sentence.ts';
import type { Change } from './change.ts';
import {
  clientLabels,
  type ConnectionState,
  protocolLabels,
  type TransferClient,
  type TransferProtocol,
} from './sample.ts';

/** Times of transfers: greater is slower. */
export const transferTimes: Measure = {
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

/** `HTTP/2, warm, in Chromium`. */
export function seriesLabel(series: {
  client: TransferClient;
  protocol: TransferProtocol;
  connection: ConnectionState;
}): string {
  return `${protocolLabels[series.protocol]}, ${series.connection}, in ${clientLabels[series.client]}`;
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
  return `from ${sizeText(firstOffBytes)}${where}, to ${digits(ratio)} times the trend`;
}

/** The trend of the sizes before the change, as text. */
export function trendText({ trend }: Change): string {
  if (trend === null) return 'unknown';
  return `${milliseconds(trend.baseMs)} + ${milliseconds(trend.msPerByte * 1_000_000)} per MB`;
}
