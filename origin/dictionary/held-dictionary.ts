/** The request's information about the dictionary that its sender has stored for it. */
export interface HeldDictionary {
  /** From Available-Dictionary, hex; null without a valid one. */
  availableDictionary: string | null;
  /** From Dictionary-ID; null without a valid one. */
  dictionaryId: string | null;
}

/**
 * Whether the sender has stored this dictionary. The hash decides: an id alone proves nothing. But a client with the
 * hash must echo the id (RFC 9842 section 2.3), so a client that echoes another id is inconsistent and gets a response
 * without dictionary.
 */
export function holdsDictionary(
  held: HeldDictionary,
  dictionary: { sha256: string; id: string },
): boolean {
  if (held.availableDictionary !== dictionary.sha256) return false;
  return held.dictionaryId === null || held.dictionaryId === dictionary.id;
}
