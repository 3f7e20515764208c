import { type Link, mtuBytes, segmentBytes } from './link.ts';

/** A sender at the start of a connection, or after a pause in which its window was reset. */
export interface SlowStart {
  link: Link;
  /** Initial congestion window, segments (RFC 6928: 10). */
  initialWindow: number;
}

/** Bytes of a packet that only acknowledges. */
const ackBytes = 52;

/**
 * Predicts the time from the sending of a short request to the arrival of the last byte of a response of `bytes`, ms, on
 * an open connection. In slow start each acknowledged segment lets the sender send two (RFC 5681 section 3.1); the rate of
 * the link spaces the packets. null: unknown, because the link loses or reorders packets, or because its queue would
 * overflow.
 *
 * It assumes a server without delay of its own, a receive window that never limits, and no pacing: it holds for Reno and
 * CUBIC, not for BBR.
 */
export function predictedTransferMs(
  bytes: number,
  { link, initialWindow }: SlowStart,
): number | null {
  const { up, down } = link;
  if ([up, down].some(({ lossShare, reorderShare }) => lossShare > 0 || reorderShare > 0))
    return null;
  const sendMs = (size: number, rate: number | null) => (rate === null ? 0 : (size * 8000) / rate);
  const segmentMs = sendMs(mtuBytes, down.bitsPerSecond);
  const ackMs = sendMs(ackBytes, up.bitsPerSecond);
  const segments = Math.max(1, Math.ceil(bytes / segmentBytes));
  /** When each acknowledgement reaches the server, ms after the request did. */
  const acknowledged: number[] = [];
  let [linkFreeAt, ackFreeAt, arrivedAt] = [0, 0, 0];
  for (let segment = 0; segment < segments; segment++) {
    // Each acknowledgement lets two more segments go.
    const after = Math.floor((segment - initialWindow) / 2);
    const at = segment < initialWindow ? 0 : (acknowledged[after] ?? 0);
    const queuedBytes = segmentMs === 0 ? 0 : ((linkFreeAt - at) / segmentMs) * mtuBytes;
    if (queuedBytes > down.queueBytes) return null;
    linkFreeAt = Math.max(linkFreeAt, at) + segmentMs;
    arrivedAt = linkFreeAt + down.delayMs;
    ackFreeAt = Math.max(ackFreeAt, arrivedAt) + ackMs;
    acknowledged.push(ackFreeAt + up.delayMs);
  }
  return up.delayMs + arrivedAt;
}
