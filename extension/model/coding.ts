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

/** True when `value` names a content coding of this project. */
export function isCoding(value: string): value is Coding {
  return (codings as readonly string[]).includes(value);
}
