import type { KnownDictionary, UsedDictionary } from '@cachescope/model/dictionary/use.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { Term } from '@cachescope/model/page/page.ts';

/** The facts about the dictionary that a response was compressed with. */
export function usedTerms({ hash, id, dictionary, isFromCache }: UsedDictionary): Term[] {
  const [noUrl, noHash] = isFromCache
    ? [unread, unread]
    : ['not in the loads that are kept', 'unknown: the request headers were not observed'];
  return [
    ['Dictionary', dictionary?.url ?? noUrl],
    ['SHA-256', hash ?? noHash],
    ...(id ? [['Dictionary-ID', id] as const] : []),
    ...(dictionary ? offerTerms(dictionary) : []),
  ];
}

const unread = 'unknown: a read from a cache does not show it';

/** What a dictionary serves, and its size. */
export function offerTerms({ offer, decodedBytes }: KnownDictionary): Term[] {
  return [
    ['Match', offer?.match ?? 'none'],
    ['Size', byteSize(decodedBytes)],
  ];
}
