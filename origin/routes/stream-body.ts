import { Readable } from 'node:stream';
import type { StreamContent } from './stream-content.ts';

/** Node's timers may fire this much early, ms. */
const toleranceMs = 0.5;

export interface StreamBodyOptions {
  content: Pick<StreamContent, 'view'>;
  /** First byte to send, and the byte after the last one. */
  from: number;
  to: number;
  /** Bytes of one chunk; with a fraction where the bytes of the stream do not divide evenly. */
  chunkBytes: number;
  /** Time from one chunk to the next, ms; 0: as fast as the reader takes them. */
  periodMs: number;
  /** Fail midway, after this many bytes: an injected fault. */
  dieAfterBytes?: number | undefined;
}

/**
 * The body of a stream at a fixed rate. The first chunk is due at once, each other chunk one period after the previous
 * one, relative to the start, so that delays do not accumulate. A slower reader gets all bytes that are due when it
 * reads.
 */
export class StreamBody extends Readable {
  readonly #options: StreamBodyOptions;
  #offset: number;
  #startedAt: number | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StreamBodyOptions) {
    super({ highWaterMark: 1 });
    this.#options = options;
    this.#offset = options.from;
  }

  /** Bytes passed on so far. */
  get sentBytes(): number {
    return this.#offset - this.#options.from;
  }

  override _read(): void {
    const { content, from, to, chunkBytes, periodMs, dieAfterBytes } = this.#options;
    if (this.#offset >= to) return void this.push(null);
    if (dieAfterBytes !== undefined && this.sentBytes >= dieAfterBytes)
      return void this.destroy(
        new Error(`the stream was told to die after ${dieAfterBytes} bytes`),
      );
    const now = performance.now();
    this.#startedAt ??= now;
    const elapsedMs = now - this.#startedAt + toleranceMs;
    const dueChunks =
      periodMs === 0 ? Number.POSITIVE_INFINITY : 1 + Math.floor(elapsedMs / periodMs);
    const due = Math.min(
      to,
      from + Math.ceil(dueChunks * chunkBytes),
      from + (dieAfterBytes ?? to),
    );
    if (this.#offset < due) {
      const view = content.view(this.#offset, due - this.#offset);
      this.#offset += view.byteLength;
      this.push(view);
      return;
    }
    const nextMs = dueChunks * periodMs - (now - this.#startedAt);
    this.#timer = setTimeout(() => this._read(), nextMs);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    clearTimeout(this.#timer);
    callback(error);
  }
}
