import { type Coding, dictionaryCodings, isCoding } from '@cachescope/model/coding.ts';
import Negotiator from 'negotiator';

/** What a request allows and what the origin could serve. */
export interface Negotiation {
  /** Accept-Encoding; undefined when the header is absent. */
  acceptEncoding: string | undefined;
  /** True when the request holds the resource's own dictionary and may be answered with it. */
  dictionaryUsable: boolean;
  /** The one coding to serve if the request allows it: an arm. */
  pinned?: Coding | undefined;
}

/** The library ranks equal q-values by a given preference; its published types do not say so. */
interface RankedNegotiator {
  encodings(available: string[], options: { preferred: string[] }): string[];
}

/** Smallest first: the origin's choice among codings that a client likes equally. */
const preference: readonly Coding[] = ['dcb', 'dcz', 'br', 'zstd', 'gzip', 'identity'];

/**
 * Chooses the content coding (RFC 9110 section 12.5.3): the client's q-values first, then the smaller coding. A pinned
 * coding is served when it is acceptable, else identity.
 *
 * An absent header allows any coding, but a client that says nothing is served identity: it may understand nothing else.
 * When a client refuses every coding, identity too, identity is served all the same, as section 12.5.3 permits.
 */
export function negotiateCoding({ acceptEncoding, dictionaryUsable, pinned }: Negotiation): Coding {
  if (acceptEncoding === undefined) return 'identity';
  const possible = pinned === undefined ? preference : [pinned];
  const named = possible.filter(
    (coding) =>
      !isDictionaryCoding(coding) || (dictionaryUsable && isNamed(acceptEncoding, coding)),
  );
  const headers = { 'accept-encoding': acceptEncoding };
  const negotiator = new Negotiator({ headers }) as unknown as RankedNegotiator;
  const [best] = negotiator.encodings([...named], { preferred: [...named] });
  return best !== undefined && isCoding(best) ? best : 'identity';
}

function isDictionaryCoding(coding: Coding): boolean {
  return dictionaryCodings.includes(coding);
}

/** `*` does not stand for dcb and dcz: a client names them when it holds a dictionary (RFC 9842 section 6.1). */
function isNamed(acceptEncoding: string, coding: Coding): boolean {
  return acceptEncoding
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === coding);
}
