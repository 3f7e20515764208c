import { knownSum } from '../extremes.ts';
import { TimeHistogram } from './histogram.ts';
import type { LoadWindow } from './window.ts';

/** How a request ended. Times in ms since the first request was due. */
export interface EndedRequest {
  dueMs: number;
  sentMs: number;
  endMs: number;
  /** HTTP status of a complete response; 0 when there was none. */
  status: number;
  /** Bytes of the body on the wire; null: unknown. */
  bytes: number | null;
  /** Whether it was a hit in the cache under load; null: unknown. */
  hit: boolean | null;
  /** Why there was no complete response, or what is wrong with it; null when it is correct. */
  error: string | null;
}

/** Collects the results of a load generator, window by window. */
export class LoadRecorder {
  #inFlight = 0;
  #window = new OpenWindow();

  /** Requests in flight. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** A request was sent. */
  sent(dueMs: number, sentMs: number): void {
    const window = this.#window;
    this.#inFlight++;
    window.due++;
    window.sent++;
    window.lateness.add(sentMs - dueMs);
    window.firstSentMs ??= sentMs;
    window.lastSentMs = sentMs;
  }

  /** A due request was dropped. */
  dropped(): void {
    this.#window.due++;
    this.#window.dropped++;
  }

  /** A sent request has ended. */
  ended({ dueMs, sentMs, endMs, status, bytes, hit, error }: EndedRequest): void {
    const window = this.#window;
    this.#inFlight--;
    window.lastEndMs = Math.max(window.lastEndMs ?? 0, endMs);
    if (error !== null) count(window.errors, error);
    if (status === 0) {
      window.failed++;
      return;
    }
    window.answered++;
    count(window.statuses, `${status}`);
    if (status >= 200 && status < 400 && error === null) window.succeeded++;
    window.latency.add(endMs - dueMs);
    window.service.add(endMs - sentMs);
    window.bytesIn = knownSum([window.bytesIn, bytes]);
    window.hits = knownSum([window.hits, hit === null ? null : Number(hit)]);
  }

  /** Ends the window and begins the next one. `busy`: utilisation of the generator's event loop, 0 to 1; null: unknown. */
  take(busy: number | null): LoadWindow {
    const { latency, service, lateness, ...counts } = this.#window;
    this.#window = new OpenWindow();
    return {
      ...counts,
      inFlight: this.#inFlight,
      latency: latency.saved(),
      service: service.saved(),
      lateness: lateness.saved(),
      generatorBusy: busy,
    };
  }
}

class OpenWindow {
  due = 0;
  sent = 0;
  dropped = 0;
  answered = 0;
  failed = 0;
  succeeded = 0;
  bytesIn: number | null = 0;
  hits: number | null = 0;
  readonly statuses: Record<string, number> = {};
  readonly errors: Record<string, number> = {};
  firstSentMs: number | null = null;
  lastSentMs: number | null = null;
  lastEndMs: number | null = null;
  readonly latency = new TimeHistogram();
  readonly service = new TimeHistogram();
  readonly lateness = new TimeHistogram();
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
