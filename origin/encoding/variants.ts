import { type Coding, dictionaryCodings } from '@cachescope/model/coding.ts';
import { LimitedStore } from '../store/limited-store.ts';
import { leastRecentlyWritten } from '../store/lrw.ts';
import { sha256Hex } from '../workloads/workload.ts';
import { encode } from './encoder.ts';
import type { Qualities } from './qualities.ts';

/** A body in one content coding. */
export interface Variant {
  coding: Coding;
  /** The encoded bytes, as transferred. */
  bytes: Uint8Array;
  /** Strong entity tag (RFC 9110 section 8.8.3): derived from the encoded bytes, so different bytes never share it. */
  etag: string;
}

/** Bytes with their hash. */
export interface HashedBytes {
  bytes: Uint8Array;
  /** Lower-case hex SHA-256. */
  sha256: string;
}

/** The input of a variant. */
export interface VariantContent {
  body: Pick<HashedBytes, 'bytes'>;
  /** Required for dcb and dcz. */
  dictionary?: Pick<HashedBytes, 'bytes'>;
}

/** Provides the input of a variant that is not stored. */
export type ContentSource = () => Promise<VariantContent> | VariantContent;

/** The input of a variant, with its hashes. */
export interface VariantSource extends VariantContent {
  body: HashedBytes;
  dictionary?: HashedBytes;
}

/** A variant, and whether it was in the store. */
export interface FoundVariant {
  variant: Variant;
  /** Also false when another request was already encoding it. */
  hit: boolean;
}

/** Encoded bodies, each encoded once and stored; requests during an encoding wait for the same encoding. */
export class VariantStore {
  readonly #qualities: Qualities;
  readonly #encode: typeof encode;
  readonly #kept: LimitedStore<Variant>;
  readonly #building = new Map<string, Promise<Variant>>();

  /** `kept` stores the variants, within its limit. Default: unlimited. */
  constructor(
    qualities: Qualities,
    encodeWith: typeof encode = encode,
    kept: LimitedStore<Variant> = new LimitedStore({ policy: leastRecentlyWritten() }),
  ) {
    this.#qualities = qualities;
    this.#encode = encodeWith;
    this.#kept = kept;
  }

  /** The variant of a body. */
  async get(coding: Coding, source: VariantSource): Promise<Variant> {
    const found = await this.find(keyOf(coding, source), coding, () => source);
    return found.variant;
  }

  /** The variant with this key; if it is not stored, `source` provides its input. */
  async find(key: string, coding: Coding, source: ContentSource): Promise<FoundVariant> {
    const kept = this.#kept.get(key);
    if (kept) return { variant: kept, hit: true };
    const building = this.#building.get(key) ?? this.#build(key, coding, source);
    return { variant: await building, hit: false };
  }

  #build(key: string, coding: Coding, source: ContentSource): Promise<Variant> {
    const building = this.#encoded(coding, source).then((variant) => {
      this.#kept.set(key, variant, variant.bytes.byteLength);
      return variant;
    });
    this.#building.set(key, building);
    // A failed encoding must not be the answer forever.
    const end = () => void this.#building.delete(key);
    building.then(end, end);
    return building;
  }

  async #encoded(coding: Coding, source: ContentSource): Promise<Variant> {
    const { body, dictionary } = await source();
    const encoded = await this.#encode(coding, body.bytes, this.#qualities, dictionary?.bytes);
    const bytes = inMemoryOfItsOwn(encoded);
    return { coding, bytes, etag: `"${sha256Hex(bytes).slice(0, 32)}"` };
  }
}

/** All variants of a store have the same qualities, so the key omits them. */
function keyOf(coding: Coding, { body, dictionary }: VariantSource): string {
  if (!dictionaryCodings.includes(coding)) return `${body.sha256}/${coding}`;
  return `${body.sha256}/${coding}/${dictionary?.sha256}`;
}

/**
 * A small buffer may be part of Node's buffer pool and would keep the whole pool in memory: the store would use more
 * memory than it counts.
 */
function inMemoryOfItsOwn(bytes: Uint8Array): Uint8Array {
  if (bytes.byteLength === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}
