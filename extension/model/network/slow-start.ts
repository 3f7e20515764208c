import { type Link, mtuBytes, roundTripMsOf } from './link.ts';

/** A server that sends over a link. */
export interface Sender {
  link: Link;
  /** Initial congestion window, segments (RFC 6928: 10). */
  initialWindow: number;
  /** CUBIC leaves slow start before packets are lost (HyStart); Reno does not. */
  congestion: 'cubic' | 'reno';
}

/** Bytes of a packet that only acknowledges. */
const ackBytes = 52;
/** Least retransmission timeout of Linux beyond the round trip, ms (TCP_RTO_MIN). */
const timeoutMs = 200;
/**
 * HyStart of Linux (net/ipv4/tcp_cubic.c): it looks from this window on, segments; acknowledgements belong to one train up
 * to this gap, ms; pacing may spread a train by this, ms; the delay counts by so many first packets of a round, and the
 * limits of its increase, ms.
 */
const hystart = { fromWindow: 16, gapMs: 2, spreadMs: 1, packets: 8, leastMs: 4, mostMs: 16 };
/** CUBIC without a loss adds a segment to its window for so many that were acknowledged (tcp_cubic.c). */
const segmentsForOne = 20;

/** Time of `bytes` at a rate, ms; null: no limit. */
export function sendingMs(bytes: number, bitsPerSecond: number | null): number {
  return bitsPerSecond === null ? 0 : (bytes * 8000) / bitsPerSecond;
}

/**
 * One TCP connection, as the server's congestion window and the link let it send. It assumes a receive window that never
 * limits and no pacing.
 */
export class PredictedConnection {
  readonly #sender: Sender;
  readonly #segmentMs: number;
  readonly #ackMs: number;
  #window: number;
  /** Slow start ends at this window, segments. */
  #threshold = Infinity;
  #least = Infinity;
  /** The round of HyStart: its start, last acknowledgement and segments looked at. */
  #round = { startMs: 0, lastMs: 0, end: 0, packets: 0, leastMs: Infinity };

  constructor(sender: Sender) {
    const { up, down } = sender.link;
    this.#sender = sender;
    this.#window = sender.initialWindow;
    this.#segmentMs = sendingMs(mtuBytes, down.bitsPerSecond);
    this.#ackMs = sendingMs(ackBytes, up.bitsPerSecond);
  }

  /**
   * Sends a response of full segments. Returns the time from the sending of its first one to the arrival of its last one,
   * ms; null: the queue of the link overflows.
   */
  send(segments: number): number | null {
    const { up, down } = this.#sender.link;
    const sentAt: number[] = [];
    const acknowledgedAt: number[] = [];
    let [linkFreeAt, ackFreeAt, arrivedAt, acknowledged, mostInFlight] = [0, 0, 0, 0, 0];
    this.#round.end = 0;
    const fill = (at: number): boolean => {
      while (sentAt.length < segments && sentAt.length - acknowledged < Math.floor(this.#window)) {
        const queuedMs = Math.max(0, linkFreeAt - at);
        if (queuedMs > sendingMs(down.queueBytes, down.bitsPerSecond)) return false;
        linkFreeAt = Math.max(linkFreeAt, at) + this.#segmentMs;
        arrivedAt = linkFreeAt + down.delayMs;
        ackFreeAt = Math.max(ackFreeAt, arrivedAt) + this.#ackMs;
        sentAt.push(at);
        acknowledgedAt.push(ackFreeAt + up.delayMs);
      }
      mostInFlight = Math.max(mostInFlight, sentAt.length - acknowledged);
      return true;
    };
    if (!fill(0)) return null;
    while (acknowledged < segments) {
      const at = acknowledgedAt[acknowledged] ?? 0;
      const tookMs = at - (sentAt[acknowledged] ?? 0);
      acknowledged++;
      this.#leaveSlowStart(at, tookMs, acknowledged, sentAt.length);
      this.#grow(mostInFlight);
      if (!fill(at)) return null;
    }
    return arrivedAt;
  }

  /** Nothing is sent for some time: the window is halved for each retransmission timeout (RFC 2861). */
  pause(ms: number): void {
    const { link, initialWindow } = this.#sender;
    const halvings = Math.floor(ms / (timeoutMs + roundTripMsOf(link)));
    if (halvings === 0 || this.#window <= initialWindow) return;
    if (this.#threshold < Infinity)
      this.#threshold = Math.max(this.#threshold, 0.75 * this.#window);
    this.#window = Math.max(initialWindow, this.#window / 2 ** halvings);
  }

  /** A window that the response does not fill does not grow (tcp_is_cwnd_limited). */
  #grow(mostInFlight: number): void {
    if (this.#window < this.#threshold) {
      if (this.#window < 2 * mostInFlight) this.#window++;
    } else if (this.#sender.congestion === 'cubic') this.#window += 1 / segmentsForOne;
    else this.#window += 1 / this.#window;
  }

  #leaveSlowStart(at: number, tookMs: number, acknowledged: number, sent: number): void {
    this.#least = Math.min(this.#least, tookMs);
    const isLooking =
      this.#sender.congestion === 'cubic' &&
      this.#window < this.#threshold &&
      this.#window >= hystart.fromWindow;
    if (!isLooking) return;
    if (acknowledged > this.#round.end)
      this.#round = { startMs: at, lastMs: at, end: sent, packets: 0, leastMs: Infinity };
    const round = this.#round;
    if (at - round.lastMs <= hystart.gapMs) round.lastMs = at;
    const isLongTrain = round.lastMs - round.startMs > (this.#least + hystart.spreadMs) / 2;
    if (round.packets < hystart.packets) {
      round.packets++;
      round.leastMs = Math.min(round.leastMs, tookMs);
    }
    const moreMs = Math.min(hystart.mostMs, Math.max(hystart.leastMs, this.#least / 8));
    const isDelayed = round.packets === hystart.packets && round.leastMs > this.#least + moreMs;
    if (isLongTrain || isDelayed) this.#threshold = this.#window;
  }
}
