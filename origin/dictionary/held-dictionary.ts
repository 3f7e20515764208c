/** What a request says of the one dictionary that its sender holds for it. */
export interface HeldDictionary {
  /** From Available-Dictionary, hex; null without a valid one. */
  availableDictionary: string | null;
  /** From Dictionary-ID; null without a valid one. */
  dictionaryId: string | null;
}

/**
 * Whether the sender holds this very dictionary. The hash decides: an id alone proves nothing. But a client that has the
 * hash must echo the id (RFC 9842 section 2.3), so one that echoes another id is confused and gets plain content.
 */
export function holdsDictionary(
  held: HeldDictionary,
  dictionary: { sha256: string; id: string },
): boolean {
  if (held.availableDictionary !== dictionary.sha256) return false;
  return held.dictionaryId === null || held.dictionaryId === dictionary.id;
}
