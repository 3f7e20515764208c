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
interface RankingNegotiator {
  encodings(available?: readonly string[], options?: { preferred: readonly string[] }): string[];
}

/** Smallest first: the origin's choice among codings that a client likes equally. */
const preference: readonly Coding[] = ['dcb', 'dcz', 'br', 'zstd', 'gzip', 'identity'];

/**
 * Chooses the content coding (RFC 9110 section 12.5.3): the client's q-values first, then the smaller coding. A pinned
 * coding is served when it is acceptable, whatever its q-value, else identity.
 *
 * An absent header allows any coding, but a client that says nothing is served identity: it may understand nothing else.
 *
 * @returns null when the client refuses all that could be served, identity too: an answer of 406.
 */
export function negotiateCoding(negotiation: Negotiation): Coding | null {
  const { pinned } = negotiation;
  const acceptable = acceptableCodings(negotiation);
  if (pinned === undefined) return acceptable[0] ?? null;
  if (acceptable.includes(pinned)) return pinned;
  return acceptable.includes('identity') ? 'identity' : null;
}

/** Best first. */
function acceptableCodings({ acceptEncoding, dictionaryUsable }: Negotiation): Coding[] {
  if (acceptEncoding === undefined) return ['identity'];
  const headers = { 'accept-encoding': wellFormed(acceptEncoding) };
  const negotiator = new Negotiator({ headers }) as unknown as RankingNegotiator;
  const named = new Set(negotiator.encodings().map((name) => name.toLowerCase()));
  // `*` does not stand for dcb and dcz: a client names them when it holds a dictionary (RFC 9842 section 6.1).
  const possible = preference.filter(
    (coding) => !dictionaryCodings.includes(coding) || (dictionaryUsable && named.has(coding)),
  );
  return negotiator.encodings(possible, { preferred: possible }).filter(isCoding);
}

/** A weight (RFC 9110 section 12.4.2), the only parameter that a member has. */
const weight = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/i;

/** Without members that are malformed: a client that cannot be understood there has refused nothing. */
function wellFormed(acceptEncoding: string): string {
  const members = acceptEncoding.split(',').map((member) => member.split(';'));
  return members
    .filter(([, ...parameters]) => parameters.every((parameter) => weight.test(parameter.trim())))
    .map((parts) => parts.join(';'))
    .join(',');
}
