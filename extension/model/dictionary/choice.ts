import type { CookieAccess } from './cookie-access.ts';
import type { DictionaryRequest } from './request.ts';
import type { DictionaryReason } from './reason.ts';
import type { KnownDictionary } from './known.ts';

type Rule = DictionaryReason['rule'];

/**
 * The dictionary that a browser offers for a request: of the usable ones, one whose match-dest names the destination
 * comes first, then the longest match, then the newest (RFC 9842 section 2.2.3). If the request's fields are known, the
 * dictionary's id must equal its Dictionary-ID. null when no known dictionary fits.
 */
export function bestDictionary(
  request: DictionaryRequest,
  known: readonly KnownDictionary[],
): KnownDictionary | null {
  const { sent } = request;
  const fitting = known.filter(
    (dictionary) =>
      whyNot(dictionary, request) === null && (!sent || dictionary.offer?.id === sent.id),
  );
  return fitting.toSorted(byPrecedence)[0] ?? null;
}

function byPrecedence(a: KnownDictionary, b: KnownDictionary): number {
  return (
    Number(hasDestinations(b)) - Number(hasDestinations(a)) ||
    matchLength(b) - matchLength(a) ||
    b.registeredAt - a.registeredAt
  );
}

const hasDestinations = ({ offer }: KnownDictionary): boolean => (offer?.matchDest.length ?? 0) > 0;
const matchLength = ({ offer }: KnownDictionary): number => offer?.match.length ?? 0;

/** Why the browser offered no dictionary: one reason for each known dictionary of the origin, or that there is none. */
export function candidateReasons(
  request: DictionaryRequest,
  known: readonly KnownDictionary[],
): DictionaryReason[] {
  const ofOrigin = known.filter(({ origin }) => origin === request.origin);
  const held = new Map(
    ofOrigin.toSorted(bySuitability(request)).map((dictionary) => [dictionary.url, dictionary]),
  );
  if (held.size > 0) {
    return [...held.values()].map((dictionary) => {
      const [rule, says] = whyNot(dictionary, request) ?? notOfferedBecause[request.cookieAccess];
      return { rule, says, dictionaryUrl: dictionary.url };
    });
  }
  return known.length === 0 ? [notRegistered] : [notRegistered, crossOrigin(known)];
}

/**
 * Several responses may have the URL of a dictionary, some of them after the request. The one that the browser held
 * then is last: of the same page origin, already arrived, and of these the newest.
 */
function bySuitability({ pageOrigin, madeAt }: DictionaryRequest) {
  const isOfPage = (each: KnownDictionary): number => Number(each.pageOrigin === pageOrigin);
  const hadArrived = (each: KnownDictionary): number => Number(each.registeredAt <= madeAt);
  return (a: KnownDictionary, b: KnownDictionary): number =>
    isOfPage(a) - isOfPage(b) || hadArrived(a) - hadArrived(b) || a.registeredAt - b.registeredAt;
}

const notRegistered: DictionaryReason = {
  rule: 'not-registered',
  says: 'In the loads that are kept, no response of this origin offered itself as a dictionary.',
};
const notOffered: readonly [Rule, string] = [
  'not-offered',
  'It matches. If it was not offered, the browser had not read it yet after its start, or had removed it.',
];

/** Why a matching dictionary may not have been offered. */
const notOfferedBecause: Readonly<Record<CookieAccess, readonly [Rule, string]>> = {
  'first-party': notOffered,
  allowed: notOffered,
  blocked: [
    'third-party-cookies',
    'It matches, but the request is to another site than the page, and third-party cookies are blocked (Sec-Fetch-Storage-Access). Chromium keeps dictionaries apart by site and offers none where it blocks cookies.',
  ],
  unknown: [
    'third-party-cookies',
    'It matches, but the request is to another origin than the page, and no request shows whether third-party cookies are allowed. Chromium keeps dictionaries apart by site and offers none where it blocks cookies, which is the default of a new profile.',
  ],
};

function crossOrigin(known: readonly KnownDictionary[]): DictionaryReason {
  const origins = [...new Set(known.map(({ origin }) => origin))].join(', ');
  return {
    rule: 'cross-origin',
    says: `The known dictionaries belong to other origins (${origins}): a dictionary serves its own origin only.`,
  };
}

/** The first rule that excludes a dictionary for a request; null when no rule is known to exclude it. */
function whyNot(
  dictionary: KnownDictionary,
  request: DictionaryRequest,
): readonly [Rule, string] | null {
  const { offer, problems, pageOrigin, registeredAt } = dictionary;
  if (!offer) return ['invalid-offer', `The browser must ignore it: ${problems.join('; ')}.`];
  if (dictionary.origin !== request.origin)
    return ['cross-origin', 'It belongs to another origin.'];
  if (pageOrigin !== request.pageOrigin)
    return ['other-page', `It was registered on pages of ${pageOrigin ?? 'no known origin'} only.`];
  if (registeredAt > request.madeAt)
    return ['registered-later', 'It had not arrived completely when this request was made.'];
  if (dictionary.usableUntil <= request.madeAt) {
    const staleMs = request.madeAt - dictionary.usableUntil;
    return ['not-fresh', `It had been stale for ${Math.round(staleMs / 1000)} s at that time.`];
  }
  if (!offer.pattern.test(request.url))
    return ['no-match', `Its match ${JSON.stringify(offer.match)} does not match the URL.`];
  const { matchDest } = offer;
  const { destination } = request;
  if (matchDest.length === 0 || destination === null || matchDest.includes(destination))
    return null;
  const wanted = matchDest.map((name) => JSON.stringify(name)).join(', ');
  const says = `It serves the destinations ${wanted}, not ${JSON.stringify(destination)}.`;
  return ['other-destination', says];
}
