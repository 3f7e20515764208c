/**
 * Content codings (RFC 9110 section 8.4.1; dcb and dcz: RFC 9842 sections 4 and 5), in the order in
 * which this project lists them everywhere.
 */
export const codings = ['identity', 'gzip', 'br', 'zstd', 'dcb', 'dcz'] as const;

/** One content coding. An arm of a sweep is named by its coding. */
export type Coding = (typeof codings)[number];

/** Codings that need a dictionary the client already holds (RFC 9842). */
export const dictionaryCodings: readonly Coding[] = ['dcb', 'dcz'];

/** Display name of a coding, for sentences and chart legends. */
export const codingLabels: Readonly<Record<Coding, string>> = {
  identity: 'Identity',
  gzip: 'Gzip',
  br: 'Brotli',
  zstd: 'Zstandard',
  dcb: 'DCB',
  dcz: 'DCZ',
};

/** Codings that Chromium decodes. */
const decoded: ReadonlySet<string> = new Set([...codings, 'deflate', 'x-gzip']);

/**
 * What a browser decoded of a body with this Content-Encoding field: `identity`, a coding, or several in their order.
 * Chromium passes on a body undecoded when one of the names, even an empty one, is unknown to it.
 */
export function decodedCoding(field: string | undefined | null): string {
  const names = (field ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  const own = names.filter((name) => name !== 'identity');
  return own.length > 0 && own.every((name) => decoded.has(name)) ? own.join(', ') : 'identity';
}

/** True when `value` names a content coding of this project. */
export function isCoding(value: string): value is Coding {
  return (codings as readonly string[]).includes(value);
}
