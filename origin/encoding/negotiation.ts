import { type Coding, dictionaryCodings, isCoding } from '@cachescope/model/coding.ts';
import Negotiator from 'negotiator';

/** The codings that a request allows, and those that the origin could serve. */
export interface Negotiation {
  /** Accept-Encoding; undefined when the header is absent. */
  acceptEncoding: string | undefined;
  /** True when the client has stored the resource's own dictionary and the response may use it. */
  dictionaryUsable: boolean;
  /** An arm: the only coding to serve if the request allows it. */
  pinned?: Coding | undefined;
}

/** The library ranks codings with equal q-values by a given preference; its published types lack this parameter. */
interface RankingNegotiator {
  encodings(available?: readonly string[], options?: { preferred: readonly string[] }): string[];
}

/** Smallest first: the origin's choice among codings with equal q-values. */
const preference: readonly Coding[] = ['dcb', 'dcz', 'br', 'zstd', 'gzip', 'identity'];

/**
 * Chooses the content coding (RFC 9110 section 12.5.3): first by the client's q-values, then the smaller coding. A
 * pinned coding is served when it is acceptable, whatever its q-value, otherwise identity.
 *
 * An absent header allows any coding, but such a client is served identity: it may support nothing else.
 *
 * @returns null when the client refuses everything that could be served, including identity: status 406.
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
  // `*` does not include dcb and dcz: a client names them when it has stored a dictionary (RFC 9842 section 6.1).
  const possible = preference.filter(
    (coding) => !dictionaryCodings.includes(coding) || (dictionaryUsable && named.has(coding)),
  );
  return negotiator.encodings(possible, { preferred: possible }).filter(isCoding);
}

/** A weight (RFC 9110 section 12.4.2), the only parameter of a member. */
const weight = /^q=(0(\.\d{0,3})?|1(\.0{0,3})?)$/i;

/** Drops malformed members: they do not refuse anything. */
function wellFormed(acceptEncoding: string): string {
  const members = acceptEncoding.split(',').map((member) => member.split(';'));
  return members
    .filter(([, ...parameters]) => parameters.every((parameter) => weight.test(parameter.trim())))
    .map((parts) => parts.join(';'))
    .join(',');
}
