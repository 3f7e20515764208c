import { type BareItem, type InnerList, serializeDictionary } from 'structured-headers';

/** What a response says of itself when it offers itself as dictionary (RFC 9842 section 2.1). */
export interface DictionaryOffer {
  /** URL pattern of the requests that may use it, resolved against the dictionary's own URL; no regexp groups. */
  match: string;
  /** Request destinations it is for; empty: all. */
  matchDest?: readonly string[];
  /** Echoed by the client in Dictionary-ID; at most 1024 characters. */
  id?: string;
}

/**
 * True when the pattern is one that RFC 9842 section 2.1.1 allows: it parses, and has no regexp groups.
 */
export function isMatchPattern(match: string, dictionaryUrl: string): boolean {
  try {
    return !new URLPattern(match, dictionaryUrl).hasRegExpGroups;
  } catch {
    return false;
  }
}

/** The value of Use-As-Dictionary. `type=raw` is the default and left out. */
export function useAsDictionary(offer: DictionaryOffer): string {
  const fields = new Map<string, [BareItem, Map<string, BareItem>] | InnerList>();
  fields.set('match', [offer.match, new Map()]);
  if (offer.matchDest && offer.matchDest.length > 0) {
    const destinations = offer.matchDest.map((name): [BareItem, Map<string, BareItem>] => [
      name,
      new Map(),
    ]);
    fields.set('match-dest', [destinations, new Map()]);
  }
  if (offer.id) fields.set('id', [offer.id, new Map()]);
  return serializeDictionary(fields);
}
