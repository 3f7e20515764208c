import { createRandom } from '@cachescope/model/statistics/random.ts';

/** Characters of which none can end a comment or an element: 64, so that a coding leaves six bits of eight. */
const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.');
/** Compressed share of random characters. */
const randomShare = 0.76;
const blockBytes = 256;
/** Compressed share of a block of pure repetition. */
const repeatedShare = 0.012;

/**
 * Text of exactly `bytes` bytes that compresses to about `wireShare` of its size, also any part of it: each block
 * begins with random characters and continues with a repetition. Above 0.76 it is as random as this text can be.
 */
export function textPayload(bytes: number, wireShare: number, seed: number): Buffer {
  const random = createRandom(seed);
  const text = Buffer.alloc(bytes, 'the page has this text again and again ');
  const share = Math.min(
    1,
    Math.max(0, (wireShare - repeatedShare) / (randomShare - repeatedShare)),
  );
  const randomBytes = Math.round(blockBytes * share);
  for (let block = 0; block < bytes; block += blockBytes) {
    const end = Math.min(bytes, block + randomBytes);
    for (let at = block; at < end; at++) text[at] = alphabet[Math.floor(random() * 64)] ?? 0;
  }
  return text;
}

/** Bytes that no coding compresses. */
export function binaryPayload(bytes: number, seed: number): Buffer {
  const random = createRandom(seed);
  const payload = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) payload[at] = Math.floor(random() * 256);
  return payload;
}

/** One edit per this many bytes of a version. */
const editEvery = 1024;
/** Bytes of an edit: about one line in forty, as in a minor upgrade. */
const editedBytes = 26;

/**
 * The previous version: the same bytes with some letters of the payload changed, without ending a comment or changing a
 * length.
 */
export function olderVersion(
  body: Buffer,
  payload: { from: number; to: number },
  seed: number,
): Buffer {
  const random = createRandom(seed);
  const older = Buffer.from(body);
  for (let edit = payload.from; edit < payload.to; edit += editEvery) {
    for (let at = edit; at < Math.min(edit + editedBytes, payload.to); at++) {
      const byte = older[at] ?? 0;
      const isLetter = (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
      if (isLetter) older[at] = alphabet[Math.floor(random() * 52)] ?? byte;
    }
  }
  return older;
}
