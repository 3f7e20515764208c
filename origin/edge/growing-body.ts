/** How far an upstream body that is not kept may run ahead of its slowest reader, bytes. */
const windowBytes = 1024 ** 2;

/** A request that needs a body: it reads the body, or waits for it. */
export interface Taker {
  /** Offset of the first byte not yet taken; null for a request that only waits. */
  offset: number | null;
}

/**
 * A body during and after its arrival. Any number of readers take it from any offset, each at its own speed, and wait
 * for bytes that have not arrived. A kept body retains all its bytes, and no reader slows another; a body that is not
 * kept retains the bytes that its slowest reader has yet to take.
 */
export class GrowingBody {
  state: 'filling' | 'complete' | 'failed' = 'filling';
  /** Bytes that have arrived. */
  bytes = 0;
  #isKept: boolean;
  #chunks: Buffer[] = [];
  /** End offset of each chunk. */
  #ends: number[] = [];
  readonly #takers = new Set<Taker>();
  #change = Promise.withResolvers<void>();
  readonly #decided = Promise.withResolvers<void>();
  #onRoom: (() => void) | null = null;
  readonly #onDeserted: () => void;

  /** `onDeserted` is called when the last taker leaves a body that is still arriving. */
  constructor(isKept: boolean, onDeserted: () => void) {
    this.#isKept = isKept;
    this.#onDeserted = onDeserted;
  }

  /** Whether all its bytes are retained. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Whether it is still arriving without any taker. */
  get isDeserted(): boolean {
    return this.state === 'filling' && this.#takers.size === 0;
  }

  /** Settles when the body has ended or will not be kept: waiting for the whole body ends then. */
  get decided(): Promise<void> {
    return this.#decided.promise;
  }

  /** Settles when more has arrived, or the body has ended. */
  get changed(): Promise<void> {
    return this.#change.promise;
  }

  /** Adds a taker that reads from `offset`, or, with null, a taker that waits. */
  join(offset: number | null): Taker {
    const taker = { offset };
    this.#takers.add(taker);
    return taker;
  }

  /** Calling it again has no effect. */
  leave(taker: Taker): void {
    if (!this.#takers.delete(taker) || this.state !== 'filling') return;
    if (this.#takers.size === 0) this.#onDeserted();
    else this.#forget();
  }

  /** Like `leave`, for a taker that has everything it wanted: a kept body continues to arrive even without takers. */
  leaveContent(taker: Taker): void {
    if (this.#isKept) this.#takers.delete(taker);
    else this.leave(taker);
  }

  /** `join` and `leaveContent` at once, for a request that needs no content. */
  passBy(): void {
    this.leaveContent(this.join(null));
  }

  /** Appends a chunk. False: the slowest reader is far behind, so add no more before `onRoom` is called. */
  add(chunk: Buffer, onRoom: () => void): boolean {
    if (this.state !== 'filling') return true;
    this.bytes += chunk.byteLength;
    this.#chunks.push(chunk);
    this.#ends.push(this.bytes);
    this.#tell();
    if (this.#hasRoom) return true;
    this.#onRoom = onRoom;
    return false;
  }

  /** Ends the body: it is complete, or no more will arrive. */
  end(state: 'complete' | 'failed'): void {
    if (this.state !== 'filling') return;
    this.state = state;
    this.#tell();
    this.#decided.resolve();
  }

  /** From now on retains only the bytes that its current readers have yet to take; only they can read it. */
  stopKeeping(): void {
    this.#isKept = false;
    this.#forget();
    this.#decided.resolve();
    if (this.isDeserted) this.#onDeserted();
  }

  /** Takes about `mostBytes` of the bytes that have arrived before `to`. Empty: none have arrived yet. */
  take(taker: Taker, to: number, mostBytes: number): Buffer[] {
    const taken: Buffer[] = [];
    const start = taker.offset ?? 0;
    let at = start;
    for (let index = this.#indexOf(start); index < this.#chunks.length && at < to; index++) {
      const chunk = this.#chunks[index] as Buffer;
      const begin = (this.#ends[index] as number) - chunk.byteLength;
      const part = chunk.subarray(at - begin, Math.min(chunk.byteLength, to - begin));
      taken.push(part);
      at += part.byteLength;
      if (at - start >= mostBytes) break;
    }
    taker.offset = at;
    if (!this.#isKept) this.#forget();
    return taken;
  }

  get #hasRoom(): boolean {
    const [first] = this.#chunks;
    if (this.#isKept || !first) return true;
    return this.bytes - ((this.#ends[0] as number) - first.byteLength) < windowBytes;
  }

  /** Index of the chunk that contains an offset, by binary search. */
  #indexOf(offset: number): number {
    let [low, high] = [0, this.#ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] as number) > offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Releases the chunks that every reader has taken, unless the body is kept. */
  #forget(): void {
    if (this.#isKept) return;
    const offsets = [...this.#takers].flatMap(({ offset }) => (offset === null ? [] : [offset]));
    const gone = this.#indexOf(Math.min(this.bytes, ...offsets));
    if (gone > 0) {
      this.#chunks.splice(0, gone);
      this.#ends.splice(0, gone);
    }
    if (!this.#hasRoom) return;
    const onRoom = this.#onRoom;
    this.#onRoom = null;
    onRoom?.();
  }

  #tell(): void {
    const { resolve } = this.#change;
    if (this.state === 'filling') this.#change = Promise.withResolvers<void>();
    resolve();
  }
}
