import { createCipheriv, createHash } from 'node:crypto';

/**
 * Length of the random bytes from which all streams of a seed are taken. It is prime: no chunk size and no file size
 * divides it, so lost, repeated or misplaced bytes do not match.
 */
export const poolBytes = 1_048_573;

/** Length of the largest view, bytes. */
const mostViewBytes = 256 * 1024;

/** Maximum number of kept pools: a run has one seed, but any client can request any seed. */
const mostPools = 8;

const pools = new Map<number, Buffer>();

/**
 * The pool of a seed: the AES-128-CTR keystream whose key is the first half of SHA-256 of `cachescope stream SEED`,
 * from counter 0, so that a page can compute it with WebCrypto. The pool's beginning is repeated after its end, for the
 * length of one view. null: enough pools are kept.
 */
function poolOf(seed: number): Buffer | null {
  const known = pools.get(seed);
  if (known || pools.size >= mostPools) return known ?? null;
  const pool = partOf(seed, 0, poolBytes + mostViewBytes);
  pools.set(seed, pool);
  return pool;
}

/** Some bytes of a pool, computed alone: a cipher in counter mode can begin at any block (16 bytes). */
function partOf(seed: number, from: number, bytes: number): Buffer {
  const untilEnd = Math.min(bytes, poolBytes - from);
  const rest = bytes - untilEnd;
  const part = keystream(seed, from, untilEnd);
  return rest === 0 ? part : Buffer.concat([part, keystream(seed, 0, rest)]);
}

function keystream(seed: number, from: number, bytes: number): Buffer {
  const key = createHash('sha256').update(`cachescope stream ${seed}`).digest().subarray(0, 16);
  const counter = Buffer.alloc(16);
  counter.writeUInt32BE(Math.floor(from / 16), 12);
  const skipped = from % 16;
  const stream = createCipheriv('aes-128-ctr', key, counter).update(Buffer.alloc(skipped + bytes));
  return stream.subarray(skipped);
}

/**
 * Offset in the pool at which the stream of this name begins: FNV-1a, 32 bits, of its UTF-16 units, modulo the pool's
 * length.
 */
export function streamStart(name: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < name.length; index++) {
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193) >>> 0;
  }
  return hash % poolBytes;
}

/**
 * The bytes of one stream of any length: they depend only on seed and name. For the first eight seeds nothing is
 * computed twice.
 */
export class StreamContent {
  readonly #seed: number;
  readonly #start: number;

  constructor(seed: number, name: string) {
    this.#seed = seed;
    this.#start = streamStart(name);
  }

  /** Bytes from `offset` on, at most `mostBytes` and at most 256 KiB. Read-only. */
  view(offset: number, mostBytes: number): Buffer {
    const from = (this.#start + offset) % poolBytes;
    const bytes = Math.min(mostBytes, mostViewBytes);
    return poolOf(this.#seed)?.subarray(from, from + bytes) ?? partOf(this.#seed, from, bytes);
  }

  /** Whether these bytes equal those of the stream from `offset` on. */
  matches(offset: number, bytes: Uint8Array): boolean {
    for (let done = 0; done < bytes.byteLength;) {
      const expected = this.view(offset + done, bytes.byteLength - done);
      if (!expected.equals(bytes.subarray(done, done + expected.byteLength))) return false;
      done += expected.byteLength;
    }
    return true;
  }
}
