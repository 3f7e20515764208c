import { createCipheriv, createHash } from 'node:crypto';

/**
 * Random bytes that all streams of a seed are cut from. A prime number of them: no chunk size and no file size divides
 * it, so bytes that are lost, repeated or out of place do not pass for the right ones.
 */
export const poolBytes = 1_048_573;

/** Longest view handed out at once, bytes. */
const mostViewBytes = 256 * 1024;

/** Pools kept: a run has one seed, but whoever reaches the origin may name any. */
const mostPools = 8;

/** The longest unused first. */
const pools = new Map<number, Buffer>();

/**
 * The pool of a seed: the AES-128-CTR keystream whose key is the first half of SHA-256 of `cachescope stream SEED`, from
 * counter 0, so that a page can make it too with WebCrypto. Behind its end stands its beginning again, for one view.
 */
function poolOf(seed: number): Buffer {
  const pool = pools.get(seed) ?? makePool(seed);
  pools.delete(seed);
  pools.set(seed, pool);
  const [longestUnused] = pools.keys();
  if (pools.size > mostPools && longestUnused !== undefined) pools.delete(longestUnused);
  return pool;
}

function makePool(seed: number): Buffer {
  const key = createHash('sha256').update(`cachescope stream ${seed}`).digest().subarray(0, 16);
  const keystream = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(
    Buffer.alloc(poolBytes),
  );
  return Buffer.concat([keystream, keystream.subarray(0, mostViewBytes)]);
}

/** Where in the pool the stream of this name begins: FNV-1a, 32 bits, of its UTF-16 units, modulo the pool's length. */
export function streamStart(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % poolBytes;
}

/** The bytes of one stream, whatever its length: they follow from seed and name alone. Of fewer than eight seeds at once nothing is copied. */
export class StreamContent {
  readonly #seed: number;
  readonly #start: number;

  constructor(seed: number, name: string) {
    this.#seed = seed;
    this.#start = streamStart(name);
  }

  /** Bytes from `offset` on, at most `mostBytes` of them and at most 256 KiB. Not to be written to. */
  view(offset: number, mostBytes: number): Buffer {
    const from = (this.#start + offset) % poolBytes;
    const view = poolOf(this.#seed).subarray(from, from + Math.min(mostBytes, mostViewBytes));
    // A view keeps its whole pool in memory: of many seeds at once only what is sent is kept.
    return pools.size < mostPools ? view : Buffer.from(view);
  }

  /** Whether these bytes are those of the stream from `offset` on. */
  matches(offset: number, bytes: Uint8Array): boolean {
    for (let done = 0; done < bytes.byteLength;) {
      const expected = this.view(offset + done, bytes.byteLength - done);
      if (!expected.equals(bytes.subarray(done, done + expected.byteLength))) return false;
      done += expected.byteLength;
    }
    return true;
  }
}
