import { defaultInitialWindow, type Link, roundTripMsOf, segmentBytes } from '../network/link.ts';
import { predictedTransferMs } from '../network/slow-start.ts';
import { median } from '../statistics/quantile.ts';
import type { TransferPath } from './path.ts';
import { idlePauseMs, type TransferCell, type TransferSample } from './sample.ts';

/** Congestion controls whose slow start doubles the window in each round trip. */
const doubling = new Set<string | null>(['cubic', 'reno']);

/** Round trips before the request is sent on a new connection: TCP, and TLS 1.3 (RFC 8446 section 2). */
const handshakes = { h1: 1, 'h1-tls': 2, h2: 2 } as const;

/**
 * The predicted time of a cell over an emulated link, ms: the handshakes of a new connection, and the response in slow
 * start. A warm connection has its window open from its second timed request on. null: unknown, over loopback, with another
 * congestion control, after a pause that does not reset the window, or where `predictedTransferMs` does not know.
 */
export function predictedMs(
  path: TransferPath | undefined,
  cell: TransferCell,
  samples: readonly TransferSample[],
  serverDelayMs: number,
): number | null {
  if (!path?.link || !doubling.has(path.congestion)) return null;
  const { link, initialWindow } = path;
  const connectMs =
    cell.connection === 'cold' ? handshakes[cell.protocol] * roundTripMsOf(link) : 0;
  const first = initialWindow ?? defaultInitialWindow;
  if (cell.connection === 'idle' && !isReset(cell.responseBytes, link, first)) return null;
  const times = samples.map(({ originRequest }) => {
    const isOpen = cell.connection === 'warm' && originRequest !== firstTimedRequest;
    const window = isOpen ? Infinity : first;
    return predictedTransferMs(cell.responseBytes, { link, initialWindow: window });
  });
  if (times.some((ms) => ms === null)) return null;
  const transferMs = median(times.flatMap((ms) => ms ?? []));
  return transferMs === null ? null : connectMs + transferMs + serverDelayMs;
}

/** Least retransmission timeout of Linux beyond the round trip, ms (TCP_RTO_MIN). */
const timeoutMs = 200;

/**
 * Whether the window of a connection is the initial one again after a pause: Linux halves it for each retransmission
 * timeout (RFC 2861). It was at most twice the response.
 */
function isReset(responseBytes: number, link: Link, initialWindow: number): boolean {
  const halvings = Math.floor(idlePauseMs / (timeoutMs + roundTripMsOf(link)));
  return (2 * responseBytes) / segmentBytes / 2 ** halvings <= initialWindow;
}

/** The first timed request of a warm connection follows one that opens it. */
const firstTimedRequest = 2;
