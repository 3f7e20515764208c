import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A larger trace is not kept: the reads of a run may be hundreds. */
export const mostTraceBytes = 32 * 1024 ** 2;

/** Keeps a trace that is read only once, while somebody else reads it. */
export class KeptTrace {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  /** The same pieces, each kept before it is passed on. */
  async *passedOn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.#bytes += piece.byteLength;
      if (this.#bytes > mostTraceBytes) this.#pieces = null;
      this.#pieces?.push(piece);
      yield piece;
    }
  }

  /** The whole, compressed; null when it was too large. */
  async gzipped(): Promise<Uint8Array | null> {
    return this.#pieces && promisify(gzip)(Buffer.concat(this.#pieces));
  }
}
