import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A larger trace is not kept: a run may have hundreds of reads. */
export const mostTraceBytes = 32 * 1024 ** 2;

/** Keeps a copy of a trace that can be read only once, while another reader consumes it. */
export class KeptTrace {
  #pieces: Uint8Array[] | null = [];
  #bytes = 0;

  /** The same chunks, each kept before it is passed on. */
  async *passedOn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      this.#bytes += piece.byteLength;
      if (this.#bytes > mostTraceBytes) this.#pieces = null;
      this.#pieces?.push(piece);
      yield piece;
    }
  }

  /** The whole trace, gzipped; null when it was too large. */
  async gzipped(): Promise<Uint8Array | null> {
    return this.#pieces && promisify(gzip)(Buffer.concat(this.#pieces));
  }
}
