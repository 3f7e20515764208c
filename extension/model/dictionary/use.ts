import { isFromCache } from '../attribution/attributed-resource.ts';
import { attribute } from '../attribution/cache-source.ts';
import { type Coding, dictionaryCodings, isCoding } from '../coding.ts';
import { bestDictionary, candidateReasons } from './choice.ts';
import type { DictionaryReason } from './reason.ts';
import { type DictionaryRequest, dictionaryRequest } from './request.ts';
import { isOpaque, type KnownDictionary } from './known.ts';
import { knownFields } from '../known-fields.ts';
import { type Load, type Resource, responseUrl } from '../load/load.ts';
import { parsedUrl, schemeOf } from '../web-url.ts';

export type { DictionaryReason } from './reason.ts';
export { dictionariesOf, type KnownDictionary, offeredDictionary } from './known.ts';

/** The dictionary behind a response in dcb or dcz (RFC 9842 sections 4 and 5). */
export interface UsedDictionary {
  coding: Coding;
  /**
   * SHA-256 of the dictionary, lower-case hex, as the browser offered it; null when the request's fields are unknown, or
   * the body is from a cache.
   */
  hash: string | null;
  /** Dictionary-ID; empty when it has none, null as for `hash`. */
  id: string | null;
  /**
   * The response that provided it, by the rules of precedence; null when none of the known loads has it, or the body is
   * from a cache.
   */
  dictionary: KnownDictionary | null;
  /** The body came from a cache. It was decoded when it was stored: this read used no dictionary. */
  isFromCache: boolean;
}

/** Which dictionary a response used, or why it used none, or which facts are missing to decide. */
export type DictionaryUse =
  | { used: UsedDictionary }
  | { notUsed: DictionaryReason[] }
  | { unknown: string[]; considered: DictionaryReason[] };

/**
 * Which dictionary one response of a load used, or why it used none (RFC 9842). `known` are the dictionaries of all
 * available loads (`dictionariesOf`). A dictionary registered before the first of them is unknown and is not guessed.
 */
export function dictionaryUse(
  resource: Resource,
  load: Load,
  known: readonly KnownDictionary[],
): DictionaryUse {
  const { coding } = resource;
  if (!/^https?$/.test(schemeOf(responseUrl(resource))))
    return because('no-http', 'Only responses over HTTP can use a dictionary.');
  if (coding === null) return { unknown: ['the content coding of the response'], considered: [] };
  const request = dictionaryRequest(resource, load);
  const attribution = attribute(resource.evidence);
  const isStored = isFromCache(attribution) || attribution.source === 'revalidated';
  if (isCoding(coding) && dictionaryCodings.includes(coding)) {
    // It is unknown when a stored body was fetched; a revalidation may offer another dictionary than that request did.
    if (isStored)
      return { used: { coding, hash: null, id: null, dictionary: null, isFromCache: true } };
    const { hash = null, id = null } = request.sent ?? {};
    const dictionary = bestDictionary(request, known);
    return { used: { coding, hash, id, dictionary, isFromCache: false } };
  }
  if (isInsecure(responseUrl(resource)) || isInsecure(load.url))
    return because('insecure-context', 'Dictionaries need a secure context: HTTPS or loopback.');
  if (isOpaque(resource))
    return because(
      'opaque-response',
      'The page may not read the response (no-cors, another origin).',
    );
  if (attribution.source === 'service-worker')
    return { unknown: ['what the service worker fetched in a request of its own'], considered: [] };
  if (isStored)
    return because(
      'from-cache',
      `Stored earlier as ${coding}: this load does not show what the browser offered when it was fetched.`,
    );
  return plainResponse(request, known);
}

function because(rule: DictionaryReason['rule'], says: string): DictionaryUse {
  return { notUsed: [{ rule, says }] };
}

/** A response from the network in a coding other than dcb and dcz. */
function plainResponse(
  request: DictionaryRequest,
  known: readonly KnownDictionary[],
): DictionaryUse {
  const { sent } = request;
  const considered = candidateReasons(request, known);
  if (!sent)
    return { unknown: ['the request headers as sent (depth DevTools or debugger)'], considered };
  if (sent.hash === null) return { notUsed: considered };
  const about = knownFields({ dictionaryUrl: bestDictionary(request, known)?.url });
  const isAccepted = dictionaryCodings.some((coding) => sent.accepted.includes(coding));
  const [rule, says] = isAccepted
    ? ([
        'origin-chose-not',
        'The browser offered a dictionary; the origin answered without using it.',
      ] as const)
    : ([
        'coding-not-accepted',
        'A dictionary was offered, but Accept-Encoding named neither dcb nor dcz.',
      ] as const);
  return { notUsed: [{ rule, says, ...about }] };
}

/** Neither https nor loopback (W3C Secure Contexts section 3.1). False for a text that is not a URL. */
function isInsecure(url: string): boolean {
  const parsed = parsedUrl(url);
  if (parsed?.protocol !== 'http:') return false;
  return !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
}
