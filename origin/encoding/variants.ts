import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';
import { sha256Hex } from '../workloads/workload.ts';
import { encode } from './encoder.ts';
import type { Qualities } from './qualities.ts';

/** A body in one content coding. */
export interface Variant {
  coding: Coding;
  /** The encoded bytes, as they go over the wire. */
  bytes: Uint8Array;
  /** Strong entity tag (RFC 9110 section 8.8.3): made of the encoded bytes, so other bytes never share it. */
  etag: string;
}

/** Bytes and what names them. */
export interface HashedBytes {
  bytes: Uint8Array;
  /** Lower-case hex SHA-256. */
  sha256: string;
}

/** What a variant is made of. */
export interface VariantSource {
  body: HashedBytes;
  /** For dcb and dcz; they cannot be built without. */
  dictionary?: HashedBytes;
}

/** Encoded bodies, each built once and kept; requests that come while one is built wait for the same build. */
export class VariantStore {
  readonly #qualities: Qualities;
  readonly #encode: typeof encode;
  readonly #variants = new Map<string, Promise<Variant>>();

  constructor(qualities: Qualities, encodeWith: typeof encode = encode) {
    this.#qualities = qualities;
    this.#encode = encodeWith;
  }

  async get(coding: Coding, source: VariantSource): Promise<Variant> {
    const key = keyOf(coding, source);
    const kept = this.#variants.get(key);
    if (kept) return kept;
    const built = this.#build(coding, source);
    this.#variants.set(key, built);
    // A failed build must not answer for ever.
    built.catch(() => this.#variants.delete(key));
    return built;
  }

  async #build(coding: Coding, source: VariantSource): Promise<Variant> {
    const { body, dictionary } = source;
    const bytes = await this.#encode(coding, body.bytes, this.#qualities, dictionary?.bytes);
    return { coding, bytes, etag: `"${sha256Hex(bytes).slice(0, 32)}"` };
  }
}

/** All variants of a store have the same qualities, so these need not be in the key. */
function keyOf(coding: Coding, { body, dictionary }: VariantSource): string {
  if (!dictionaryCodings.includes(coding)) return `${body.sha256}/${coding}`;
  return `${body.sha256}/${coding}/${dictionary?.sha256}`;
}
