import { defaultInitialWindow, type Link, roundTripMsOf, segmentBytes } from '../network/link.ts';
import { PredictedConnection, type Sender, sendingMs } from '../network/slow-start.ts';
import { median } from '../statistics/quantile.ts';
import type { TransferPath } from './path.ts';
import {
  idlePauseMs,
  type TransferCell,
  type TransferProtocol,
  type TransferSample,
} from './sample.ts';

/** Why a time over a link is not predicted. */
export type Unpredicted =
  | 'the congestion control has no such model'
  | 'the link loses or reorders packets'
  | 'the queue of the link overflows'
  | 'one packet more takes another round trip'
  | 'no request is used';

/** What the network needs for a cell, ms, or why that is not predicted. */
export type NetworkPrediction = { ms: number } | { unknown: Unpredicted };

/** Congestion controls whose slow start is known. */
const slowStarters = ['cubic', 'reno'] as const;

/** Round trips before the request is sent on a new connection: TCP, and TLS 1.3 (RFC 8446 section 2). */
const handshakes: Readonly<Record<TransferProtocol, number>> = { h1: 1, 'h1-tls': 2, h2: 2 };
/** Bytes of the client's first flight of TLS, and of the server's, with its certificate. */
const tlsFlights = { up: 1700, down: 1900 };
/** Session tickets of TLS, and the settings of HTTP/2, which a server sends before its first response, bytes. */
const greetingBytes = 600;
/** Packets that these, and the end of an HTTP/2 stream, may have to themselves. */
const [greetingPackets, endPackets] = [2, 1];
/** Header fields of the origin's response and of a request, bytes. */
const headerBytes: Readonly<Record<TransferProtocol, number>> = { h1: 450, 'h1-tls': 450, h2: 250 };
const requestHeaderBytes = 500;
/** A TLS record and an HTTP/2 frame hold so many bytes, and add so many. */
const unitBytes = 16_384;
const [recordBytes, frameBytes] = [22, 9];

/**
 * What the network alone needs for a cell over an emulated link: the handshakes of a new connection, the request, and the
 * response in slow start, with the packets of TLS and HTTP/2, at the link's rate. A warm connection keeps the window that
 * its earlier responses opened. null: over loopback there is nothing to predict.
 */
export function networkPrediction(
  path: TransferPath | undefined,
  cell: TransferCell,
  samples: readonly TransferSample[],
  requestBytes: number,
): NetworkPrediction | null {
  if (!path?.link) return null;
  const { link, congestion, initialWindow } = path;
  const control = slowStarters.find((each) => each === congestion);
  if (!control) return { unknown: 'the congestion control has no such model' };
  if ([link.up, link.down].some(({ lossShare, reorderShare }) => lossShare + reorderShare > 0))
    return { unknown: 'the link loses or reorders packets' };
  const sender: Sender = {
    link,
    congestion: control,
    initialWindow: initialWindow ?? defaultInitialWindow,
  };
  const [fewest, most] = segmentsOf(cell).map((segments) =>
    typical(sender, cell, segments, samples),
  );
  if (fewest === undefined || most === undefined) return { unknown: 'no request is used' };
  if (fewest === null || most === null) return { unknown: 'the queue of the link overflows' };
  if (most - fewest > roundTripMsOf(link) / 2)
    return { unknown: 'one packet more takes another round trip' };
  return { ms: connectMs(link, cell) + requestMs(link, requestBytes) + (fewest + most) / 2 };
}

/** Segments of a response: when each packet is full, and when what can have a packet to itself has one. */
function segmentsOf({ protocol, connection, responseBytes }: TransferCell): [number, number] {
  const isSecure = protocol !== 'h1';
  const units = Math.ceil(responseBytes / unitBytes);
  const added = (isSecure ? recordBytes : 0) + (protocol === 'h2' ? frameBytes : 0);
  const bytes = responseBytes + headerBytes[protocol] + units * added;
  const isGreeted = isSecure && connection === 'cold';
  const fewest = Math.ceil((bytes + (isGreeted ? greetingBytes : 0)) / segmentBytes);
  const own = (isGreeted ? greetingPackets : 0) + (protocol === 'h2' ? endPackets : 0);
  return [fewest, Math.max(fewest, Math.ceil(bytes / segmentBytes) + own)];
}

/** Median over the samples, which differ in how many responses their connection has had; null: the queue overflows. */
function typical(
  sender: Sender,
  { connection }: TransferCell,
  segments: number,
  samples: readonly TransferSample[],
): number | null | undefined {
  const places = samples.map(({ originRequest }) =>
    connection === 'cold' ? 0 : Math.max(0, (originRequest ?? 0) - firstTimedRequest),
  );
  const predicted = new PredictedConnection(sender);
  const times: (number | null)[] = [];
  for (let place = 0; place <= Math.max(-1, ...places); place++) {
    if (connection === 'idle') predicted.pause(idlePauseMs);
    times.push(predicted.send(segments));
  }
  const own = places.map((place) => times[place] ?? null);
  const known = own.flatMap((ms) => ms ?? []);
  if (known.length < own.length) return null;
  return median(known) ?? undefined;
}

function connectMs(link: Link, { connection, protocol }: TransferCell): number {
  if (connection !== 'cold') return 0;
  const { up, down } = link;
  const flightsMs =
    protocol === 'h1'
      ? 0
      : sendingMs(tlsFlights.up, up.bitsPerSecond) + sendingMs(tlsFlights.down, down.bitsPerSecond);
  return handshakes[protocol] * roundTripMsOf(link) + flightsMs;
}

function requestMs({ up }: Link, requestBytes: number): number {
  return up.delayMs + sendingMs(requestBytes + requestHeaderBytes, up.bitsPerSecond);
}

/** The first timed request of a warm connection follows one that opens it. */
const firstTimedRequest = 2;
