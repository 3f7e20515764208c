import type { Coding } from '@cachescope/model/coding.ts';
import { encode } from './encoder.ts';
import type { Qualities } from './qualities.ts';

/** A body in one content coding. */
export interface Variant {
  coding: Coding;
  bytes: Uint8Array;
  /** Strong entity tag (RFC 9110 section 8.8.3), one for each coding of a body. */
  etag: string;
}

/** What a variant is made of. The hashes name the bytes. */
export interface VariantSource {
  body: Uint8Array;
  bodySha256: string;
  dictionary: Uint8Array | null;
  dictionarySha256: string | null;
}

/** Encoded bodies, each built once and kept; requests that come while one is built wait for the same build. */
export class VariantStore {
  readonly #qualities: Qualities;
  readonly #variants = new Map<string, Promise<Variant>>();

  constructor(qualities: Qualities) {
    this.#qualities = qualities;
  }

  async get(coding: Coding, source: VariantSource): Promise<Variant> {
    const isDictionaryCoding = coding === 'dcb' || coding === 'dcz';
    const key = `${source.bodySha256}/${coding}/${isDictionaryCoding ? source.dictionarySha256 : ''}`;
    const kept = this.#variants.get(key);
    if (kept) return kept;
    const built = this.#build(coding, source);
    this.#variants.set(key, built);
    // A failed build must not answer for ever.
    built.catch(() => this.#variants.delete(key));
    return built;
  }

  async #build(coding: Coding, source: VariantSource): Promise<Variant> {
    const bytes = await encode(coding, source.body, source.dictionary, this.#qualities);
    return { coding, bytes, etag: `"${source.bodySha256.slice(0, 32)}-${coding}"` };
  }
}
