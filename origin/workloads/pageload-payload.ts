import { createRandom } from '@cachescope/model/statistics/random.ts';

/** Characters of which nothing can end a comment or an element: 64, so that a coding leaves six bits of eight. */
const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.');
/** What random characters shrink to. */
const randomShare = 0.76;
const blockBytes = 256;
/** Codings have this much of a block that is all repetition. */
const repeatedShare = 0.012;

/**
 * Text of exactly so many bytes that codings shrink to about `wireShare` of it, however it is cut: each block is random
 * characters, and then always the same. Above 0.76 it is as random as text can be.
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

/** Bytes that no coding makes smaller. */
export function binaryPayload(bytes: number, seed: number): Buffer {
  const random = createRandom(seed);
  const payload = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) payload[at] = Math.floor(random() * 256);
  return payload;
}

/** Every so many bytes of a version something was edited ... */
const editEvery = 1024;
/** ... over so many: about one line in forty, as in a minor upgrade. */
const editedBytes = 26;

/**
 * The version before: the same bytes with other letters here and there in the payload, which ends no comment and keeps
 * every length.
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
