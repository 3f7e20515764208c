import { milliseconds, percent } from '../quantity.ts';
import type { Interval } from '../statistics/interval.ts';
import type { Change } from './change.ts';
import { pathSentences } from './path-finding.ts';
import type { TransferPath } from './path.ts';
import type { PathSummary } from './path-summary.ts';
import {
  isPredicted,
  type PathVerdict,
  type ProtocolVerdict,
  type TransferCurve,
  type WindowVerdict,
} from './curve.ts';
import type { RoundTrip } from './round-trip.ts';
import { clientLabels, protocolLabels } from './sample.ts';
import {
  changeText,
  roundTripsText,
  seriesLabel,
  sizeText,
  verdictMarks,
  verdictWord,
} from './words.ts';

/** The findings: which curves depart from their trend, whether the control does too, protocols, round trip. */
export function transferFinding({
  curves,
  verdicts,
  roundTrip,
  planned = [],
  paths = [],
  pathVerdicts = [],
  windowVerdicts = [],
}: {
  curves: readonly TransferCurve[];
  verdicts: readonly ProtocolVerdict[];
  roundTrip: RoundTrip;
  /** In the order in which they are read. */
  planned?: readonly TransferPath[];
  paths?: readonly PathSummary[];
  pathVerdicts?: readonly PathVerdict[];
  windowVerdicts?: readonly WindowVerdict[];
}): string[] {
  // Slow start explains where times over a link depart.
  const unexplained = curves.filter((curve) => !isPredicted(curve));
  const departing = unexplained.filter(({ change }) => change.found === 'departs');
  return [
    ...pathSentences(planned, paths, curves, pathVerdicts, windowVerdicts),
    ...(unexplained.length > 0 ? [answer(unexplained, departing)] : []),
    ...departing.map((curve) => departure(curve, curves)),
    ...protocolSentences(verdicts),
    ...roundTripSentences(roundTrip, paths[0]?.name),
  ];
}

function answer(curves: readonly TransferCurve[], departing: readonly TransferCurve[]): string {
  const headline = curves.find(
    ({ client, connection }) => client === curves[0]?.client && connection === 'warm',
  );
  const extremes = headline ? `${extremesText(headline)} ` : '';
  const [where, no] =
    curves[0]?.path === undefined ? ['', 'No'] : [`Over ${curves[0].path}, `, 'no'];
  const known = curves.filter(({ change }) => change.found !== 'unknown');
  if (known.length === 0)
    return `${extremes}Whether a size departs from the trend is unknown: ${curves[0]?.change.reason ?? 'nothing was measured'}.`;
  if (departing.length === 0)
    return `${extremes}${where}${no} departure from the trend of the smaller sizes, by a tenth or more, was found on any of ${known.length} curves.`;
  const named = departing.map(seriesLabel).join('; ');
  return `${where}${departing.length} of ${known.length} curves depart from the trend of their smaller sizes: ${named}.`;
}

function extremesText(curve: TransferCurve): string {
  const [first, last] = [curve.points[0], curve.points.at(-1)];
  if (!first || !last || first.medianMs === null || last.medianMs === null) return '';
  const text = ({ cell, medianMs, roundTrips }: typeof first) =>
    `${sizeText(cell.responseBytes)} in ${milliseconds(medianMs)} (${roundTripsText(roundTrips)})`;
  return `${seriesLabel(curve)}: ${text(first)}, ${text(last)}.`;
}

/**
 * A departure that the control shares may have its cause below the browser. One that was not found for the control is
 * no proof of the opposite: the control may depart by less, or by what its scatter hides.
 */
function departure(curve: TransferCurve, curves: readonly TransferCurve[]): string {
  const text = `${seriesLabel(curve)}, departs ${changeText(curve.change)}`;
  if (curve.client === 'node') return `${text}.`;
  const control = curves.find(
    ({ client, protocol, connection, path }) =>
      client === 'node' &&
      protocol === curve.protocol &&
      connection === curve.connection &&
      path === curve.path,
  );
  if (!control || control.change.found === 'unknown') return `${text}.`;
  if (control.change.found === 'none')
    return `${text}; no departure of a tenth or more was found for Node, the control, so the cause may be in the browser or its use of the connection.`;
  return mayBeOne(curve.change, control.change)
    ? `${text}; Node, the control, departs at these sizes too, so the cause may lie below the browser.`
    : `${text}; Node, the control, departs elsewhere, ${changeText(control.change)}, which confirms nothing.`;
}

/** Whether two changes may be at the same size: their intervals overlap. */
function mayBeOne(one: Change, other: Change): boolean {
  const [first, second] = [spanOf(one), spanOf(other)];
  return first.low <= second.high && second.low <= first.high;
}

/** The sizes at which a change may be, bytes. */
function spanOf({ interval, lastOnBytes, firstOffBytes }: Change): Interval {
  return interval ?? { low: lastOnBytes ?? 0, high: firstOffBytes ?? Infinity };
}

/** The number of each verdict, in one sentence per client, connection state and protocol. */
function protocolSentences(verdicts: readonly ProtocolVerdict[]): string[] {
  const lanes = Map.groupBy(verdicts, ({ client, connection, of, against }) => {
    const protocols = `${protocolLabels[of]} against ${protocolLabels[against]}`;
    return `${protocols}, ${connection}, in ${clientLabels[client]}`;
  });
  return [...lanes].map(([lane, own]) => {
    const words = own.map(verdictWord);
    const counts = Object.keys(verdictMarks).flatMap((word) => {
      const sizes = words.filter((each) => each === word).length;
      return sizes > 0 ? [`${word} at ${sizes}`] : [];
    });
    return `${lane}: of ${own.length} sizes ${counts.join(', ')}.`;
  });
}

function roundTripSentences(roundTrip: RoundTrip, path: string | undefined): string[] {
  const { by, ms, tcpConnectMs, emptyRequestMs, drift, betweenMachines } = roundTrip;
  const subject = path === undefined ? 'The round trip' : `The round trip over ${path}`;
  const empty = 'empty request on an open connection';
  const [source, other] =
    by === 'TCP connect'
      ? [by, `an ${empty}: ${milliseconds(emptyRequestMs)}`]
      : [empty, `TCP connect: ${milliseconds(tcpConnectMs)}`];
  const unsteady = (verb: string, share: number | null, when: string) =>
    share === null || share < 0.5
      ? []
      : [`${subject} ${verb} ${percent(share)} ${when}: multiples of it are no better than that.`];
  return [
    `${subject} is ${milliseconds(ms)}, the median ${source} of Node (${other}).`,
    ...unsteady('changed by', drift, 'during the run'),
    ...unsteady('differs by', betweenMachines, 'between machines'),
  ];
}
