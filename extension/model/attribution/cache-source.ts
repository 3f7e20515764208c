import { type Answer, answers, commonName, namesOf, partsOf } from './answer.ts';
import { failureOf } from './failure.ts';
import type { Reading } from './reading.ts';
import { readDebugger } from './debugger-signals.ts';
import { readDevtools } from './devtools-signals.ts';
import { type EvidenceDepth, evidenceDepths } from './depth.ts';
import type { Evidence } from './evidence.ts';
import { readPage } from './page-signals.ts';
import { knownFields } from '../known-fields.ts';
import type { Attribution, Signal } from '../run/sample.ts';
import { readWebRequest } from './web-request-signals.ts';

export { type CacheSource, cacheSources } from './answer.ts';

/**
 * Determines the source of a response. Each witness says which answers it leaves possible. The verdict is what all of
 * them leave possible: one answer, or the most detailed name that is true of all remaining answers, or `unknown`. It
 * never guesses: contradicting witnesses make the verdict unknown, and each is named. The content coding is determined
 * separately (coding.ts).
 */
export function attribute(evidence: Evidence): Attribution {
  const heard = readingsOf(evidence);
  const { verdict, candidates, isElsewhere, isOpen } = judgedVerdict(evidence, heard);
  return {
    ...verdict,
    ...knownFields({
      candidates: isOpen ? candidates : null,
      ...workerFacts(verdict.source, evidence),
      failure: verdict.source === 'unknown' ? null : failureOf(evidence),
      parts: partsOfBody(verdict.source, evidence),
    }),
    signals: evidenceDepths.map((depth) =>
      signalOf(depth, heard, candidates, isElsewhere || isInUrl(evidence)),
    ),
  };
}

/** What all readings leave possible, and the verdict that it allows. `isOpen`: it says less than one answer. */
export function judgedVerdict(evidence: Evidence, heard: readonly Heard[]) {
  const evident = evidentAnswer(evidence);
  const all = answers.filter((answer) => isPossible(evidence, answer));
  const possible = evident
    ? [evident.answer]
    : all.filter((answer) => heard.every(({ leaves }) => leaves?.includes(answer) ?? true));
  const isElsewhere = !evident && isNotOfHttp(evidence, possible);
  const candidates = isElsewhere ? [] : possible;
  const verdict = isElsewhere
    ? elsewhere
    : evident
      ? certain(evident.answer, evident.reason)
      : verdictOf(possible, heard);
  const isOpen = candidates.length > 1 && candidates.length < all.length;
  return { verdict, candidates, isElsewhere, isOpen };
}

/** Excludes `data` and `blob` if the URL's scheme is known: URLs of these schemes are decided by `evidentAnswer`. */
function isPossible({ scheme }: Evidence, answer: Answer): boolean {
  return scheme === undefined || (answer !== 'data' && answer !== 'blob');
}

const elsewhere: Verdict = {
  source: 'unknown',
  confidence: 'unknown',
  reasons: ['the URL is not http or ws: neither the HTTP cache nor the network was asked'],
};

function certain(answer: Answer, reason: string): Verdict {
  return { ...partsOf(answer), confidence: 'certain', reasons: [reason] };
}

/**
 * What the witnesses say about a request of another scheme, such as file: or chrome-extension:, means something else:
 * bytes of a file are reported as transferred. A failure or a block is the same for all.
 */
function isNotOfHttp({ scheme }: Evidence, candidates: readonly Answer[]): boolean {
  if (scheme === undefined || /^(https?|wss?)$/.test(scheme)) return false;
  const isEnd = (answer: Answer) => answer === 'failed' || answer === 'blocked';
  return candidates.length === 0 || !candidates.every(isEnd);
}

function isInUrl({ scheme }: Evidence): boolean {
  return scheme === 'data' || scheme === 'blob';
}

/**
 * Answers that need no request. A request that a witness still reports is another one (DevTools reads a restored
 * document again).
 */
function evidentAnswer({
  scheme,
  page,
  debugger: network,
}: Evidence): { answer: Answer; reason: string } | null {
  if (scheme === 'data' || scheme === 'blob')
    return { answer: scheme, reason: `the body is part of the ${scheme}: URL` };
  if (page?.isBackForwardRestore || network?.isBackForwardRestore) {
    return { answer: 'bfcache', reason: 'the whole document was restored' };
  }
  return null;
}

/** A witness's reading, with its depth. */
export interface Heard extends Reading {
  depth: EvidenceDepth;
}

function readingsOf(evidence: Evidence): Heard[] {
  const { page, webRequest, devtools, debugger: network } = evidence;
  const heard: Heard[] = [];
  const hear = (depth: EvidenceDepth, reading: Reading) => heard.push({ depth, ...reading });
  if (page !== undefined) hear('page', readPage(page));
  if (webRequest !== undefined) hear('webRequest', readWebRequest(webRequest));
  if (devtools !== undefined) hear('devtools', readDevtools(devtools));
  if (network !== undefined) hear('debugger', readDebugger(network));
  return heard;
}

export type Verdict = Pick<Attribution, 'source' | 'detail' | 'confidence' | 'reasons'>;

function verdictOf(candidates: readonly Answer[], heard: readonly Heard[]): Verdict {
  const said = heard.map(({ depth, says }) => `${depth}: ${says}`);
  const unknown = (...reasons: string[]): Verdict => ({
    source: 'unknown',
    confidence: 'unknown',
    reasons,
  });
  if (heard.length === 0) return unknown('no evidence was collected');
  if (candidates.length === 0)
    return unknown('the witnesses contradict each other', ...heard.map(claim));
  if (heard.every(({ leaves }) => leaves === null)) return unknown(...said, ...remedy(heard));

  const name = commonName(candidates);
  const open =
    candidates.length === 1
      ? []
      : [`not distinguished: ${candidates.join(', ')}`, ...remedy(heard)];
  if (name === undefined) return unknown(...said, ...open);
  return {
    ...partsOf(name),
    confidence: isStated(name, heard) ? 'certain' : 'likely',
    reasons: [...said, ...open],
  };
}

function claim({ depth, says, leaves }: Heard): string {
  return leaves === null ? `${depth}: ${says}` : `${depth} leaves ${leaves.join(', ')}: ${says}`;
}

/**
 * Whether the browser stated it directly, not only through times and sizes: one such witness alone excludes all other
 * names.
 */
function isStated(name: string, heard: readonly Heard[]): boolean {
  return heard.some(
    ({ leaves, isOutright }) =>
      isOutright && leaves?.every((answer) => namesOf(answer).includes(name)),
  );
}

/** Suggests a witness that did not watch and would show more. The debugger outranks all others. */
function remedy(heard: readonly Heard[]): string[] {
  if (heard.some(({ depth }) => depth === 'debugger')) return [];
  return ['the debugger was not attached; it would show the source'];
}

function signalOf(
  depth: EvidenceDepth,
  heard: readonly Heard[],
  candidates: readonly Answer[],
  isSelfContained: boolean,
): Signal {
  const reading = heard.find((each) => each.depth === depth);
  if (!reading) return { depth, says: 'did not watch', stance: 'missing' };
  const { leaves, says } = reading;
  const said = { depth, says, ...(reading.isHidden ? { isHidden: true } : {}) };
  if (leaves === null) return { ...said, stance: 'silent' };
  if (candidates.some((each) => leaves.includes(each))) return { ...said, stance: 'agrees' };
  // DevTools and the protocol also report a request for a data: or blob: URL.
  return { ...said, stance: isSelfContained ? 'silent' : 'disagrees' };
}

/** Without a content coding, the encoded size is the number of bytes from the network. */
function partsOfBody(source: string, { page }: Evidence): Attribution['parts'] | null {
  const { encodedBodySize, decodedBodySize } = page?.timing ?? {};
  if (source !== 'mixed' || !encodedBodySize || !decodedBodySize) return null;
  return { networkBytes: encodedBodySize, cachedBytes: decodedBodySize - encodedBodySize };
}

/** Facts about a service worker's part in the delivery. */
function workerFacts(source: string, { page, devtools, debugger: network }: Evidence) {
  const cacheStorageName = network?.cacheStorageName || devtools?.cacheStorageName;
  const timing = page?.timing;
  const matched =
    network?.routerMatched || devtools?.routerMatched || timing?.workerMatchedSourceType;
  const actual = network?.routerActual || devtools?.routerActual || timing?.workerFinalSourceType;
  const router = { matched: matched || null, actual: actual || null };
  return {
    cacheStorageName: source === 'service-worker' ? cacheStorageName || null : null,
    router: matched || actual ? knownFields(router) : null,
  };
}
