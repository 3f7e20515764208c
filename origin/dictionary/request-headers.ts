import { parseItem } from 'structured-headers';

/** Longest Dictionary-ID (RFC 9842 section 2.1.3), characters. */
const longestId = 1024;
const sha256Bytes = 32;

/** The bare item of a structured field; null when the header is absent or not an item. */
function bareItem(value: string | undefined): unknown {
  if (value === undefined) return null;
  try {
    return parseItem(value)[0];
  } catch {
    return null;
  }
}

/**
 * The hash in Available-Dictionary: one byte sequence with a SHA-256 (RFC 9842 section 2.2), as lower-case hex. null
 * when the header is absent or anything else; such a request gets a response without dictionary.
 */
export function availableDictionary(value: string | undefined): string | null {
  const item = bareItem(value);
  if (!(item instanceof ArrayBuffer) || item.byteLength !== sha256Bytes) return null;
  return Buffer.from(item).toString('hex');
}

/**
 * The string in Dictionary-ID (RFC 9842 section 2.3); null when the header is absent or not a string of at most 1024
 * characters.
 */
export function dictionaryId(value: string | undefined): string | null {
  const item = bareItem(value);
  return typeof item === 'string' && item.length <= longestId ? item : null;
}
