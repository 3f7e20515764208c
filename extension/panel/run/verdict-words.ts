import { verdictName } from '@cachescope/model/attribution/answer.ts';
import type { CacheSource } from '@cachescope/model/attribution/cache-source.ts';
import type { Attribution, Signal } from '@cachescope/model/run/sample.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import type { IconName } from '../icon.ts';

/** The terms of DevTools where it has them, in parentheses as there when no request reached the network. */
const words: Readonly<Record<CacheSource, { text: string; icon: IconName }>> = {
  network: { text: 'network', icon: 'cloud' },
  memory: { text: '(memory cache)', icon: 'memory' },
  disk: { text: '(disk cache)', icon: 'database' },
  revalidated: { text: '(revalidated)', icon: 'sync' },
  'stale-while-revalidate': { text: '(disk cache, stale)', icon: 'history' },
  prefetch: { text: '(prefetch cache)', icon: 'speculative-loads' },
  'early-hints': { text: '(early hints)', icon: 'lightbulb' },
  bfcache: { text: '(back/forward cache)', icon: 'history' },
  'service-worker': { text: '(ServiceWorker)', icon: 'gears' },
  preload: { text: '(preload)', icon: 'download' },
  'same-document': { text: '(same document)', icon: 'replay' },
  data: { text: '(data)', icon: 'code-circle' },
  blob: { text: '(blob)', icon: 'code-circle' },
  mixed: { text: 'network and disk cache', icon: 'arrow-up-down' },
  blocked: { text: 'blocked', icon: 'cross-circle' },
  failed: { text: 'failed', icon: 'warning' },
  unknown: { text: '(unknown)', icon: 'help' },
};

const details: Readonly<Record<string, string>> = {
  'network/not-modified': 'network, 304 to the page',
  'revalidated/http-cache': '(disk cache, revalidated)',
  'revalidated/memory-cache': '(memory cache, revalidated)',
  'prefetch/link': '(prefetch cache)',
  'prefetch/speculation': '(prefetch cache, speculation rules)',
  'service-worker/network': '(ServiceWorker, network)',
  'service-worker/http-cache': '(ServiceWorker, disk cache)',
  'service-worker/revalidated': '(ServiceWorker, revalidated)',
  'service-worker/cache-storage': '(ServiceWorker, Cache Storage)',
  'service-worker/synthetic': '(ServiceWorker, made by it)',
};

function isKnown(source: string): source is CacheSource {
  return Object.hasOwn(words, source);
}

/** The text of an answer such as `service-worker/network`; the answer itself when it has no text. */
export function answerText(answer: string): string {
  const detailed = Object.hasOwn(details, answer) ? details[answer] : undefined;
  return detailed ?? (isKnown(answer) ? words[answer].text : answer);
}

/** The text of a verdict for a cell of the grid. */
export function verdictText(attribution: Attribution): string {
  const { source, signals, cacheStorageName, failure, parts } = attribution;
  if (source === 'unknown') return `(unknown: ${unknownReason(signals)})`;
  const text = answerText(verdictName(attribution));
  if (parts)
    return `${byteSize(parts.networkBytes)} network, ${byteSize(parts.cachedBytes)} (disk cache)`;
  if (failure) return `${text}: ${failure}`;
  return cacheStorageName
    ? text.replace('Cache Storage', `Cache Storage “${cacheStorageName}”`)
    : text;
}

/** The reason of an unknown verdict, short enough for a cell. The drawer shows all reasons. */
function unknownReason(signals: readonly Signal[] = []): string {
  const isAny = (stance: Signal['stance']) => signals.some((each) => each.stance === stance);
  if (signals.some(({ isHidden }) => isHidden)) return 'no Timing-Allow-Origin';
  if (isAny('disagrees')) return 'witnesses disagree';
  // The agreeing signals leave several possible sources, which have no common name.
  if (isAny('agrees')) return 'several are possible';
  return 'no evidence';
}

/** The icon beside the verdict's text. */
export function verdictIcon({ source }: Attribution): IconName {
  return isKnown(source) ? words[source].icon : 'help';
}

/** All icons of verdicts. */
export const verdictIcons: readonly IconName[] = Object.values(words).map(({ icon }) => icon);

/** The sources that a verdict does not distinguish, as a sentence; empty when there are none. */
export function openQuestion({ source, candidates = [] }: Attribution): string {
  if (source === 'unknown' && candidates.length > 0) {
    return `It may be ${alternatives.format(candidates.map(answerText))}.`;
  }
  if (candidates.length > 1) {
    return `Not distinguished: ${alternatives.format(candidates.map(answerText))}.`;
  }
  return '';
}

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });
