import { defaultInitialWindow, roundTripMsOf } from '../network/link.ts';
import { predictedTransferMs } from '../network/slow-start.ts';
import { median } from '../statistics/quantile.ts';
import type { TransferPath } from './path.ts';
import type { TransferCell, TransferSample } from './sample.ts';

/** Congestion controls whose slow start doubles the window in each round trip. */
const doubling = new Set<string | null>(['cubic', 'reno']);

/** Round trips before the request is sent on a new connection: TCP, and TLS 1.3 (RFC 8446 section 2). */
const handshakes = { h1: 1, 'h1-tls': 2, h2: 2 } as const;

/**
 * The predicted time of a cell over an emulated link, ms: the handshakes of a new connection, and the response in slow
 * start. A warm connection has its window open from its second timed request on. null: unknown, over loopback, with another
 * congestion control, or where `predictedTransferMs` does not know.
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
  const times = samples.map(({ originRequest }) => {
    const isFirst = cell.connection === 'cold' || originRequest === firstTimedRequest;
    const window = isFirst ? (initialWindow ?? defaultInitialWindow) : Infinity;
    return predictedTransferMs(cell.responseBytes, { link, initialWindow: window });
  });
  if (times.some((ms) => ms === null)) return null;
  const transferMs = median(times.flatMap((ms) => ms ?? []));
  return transferMs === null ? null : connectMs + transferMs + serverDelayMs;
}

/** The first timed request of a warm connection follows one that opens it. */
const firstTimedRequest = 2;
