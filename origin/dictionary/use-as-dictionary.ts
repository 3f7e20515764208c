import { parsedPattern } from '@cachescope/model/web-url.ts';
import { serializeDictionary } from 'structured-headers';
import { OriginError } from '../error.ts';

/** A response's offer to be used as a dictionary (RFC 9842 section 2.1). */
export interface DictionaryOffer {
  /** URL pattern of the requests that may use it, resolved against the dictionary's own URL; no regexp groups. */
  match: string;
  /** Echoed by the client in Dictionary-ID; at most 1024 characters of printable ASCII. */
  id: string;
}

/** A path-only pattern has the same meaning on every origin, so any base can be used to check it. */
const anyOrigin = 'https://origin.invalid/';

/**
 * The value of Use-As-Dictionary. `type=raw` is the default and omitted.
 *
 * @throws OriginError CS_ORIGIN_PATTERN when a client would have to ignore the pattern (RFC 9842 section 2.1.1).
 */
export function useAsDictionary({ match, id }: DictionaryOffer): string {
  const pattern = parsedPattern(match, anyOrigin);
  if (pattern === null || pattern.hasRegExpGroups) {
    throw new OriginError(
      'CS_ORIGIN_PATTERN',
      `the match pattern ${JSON.stringify(match)} is no URL pattern without regexp groups; RFC 9842 section 2.1.1 allows no other`,
    );
  }
  return serializeDictionary({ match, id });
}
