import type { CacheSource } from './cache-source.ts';

/** The terms of DevTools where it has them, in parentheses as there when no request reached the network. */
const texts: Readonly<Record<CacheSource, string>> = {
  network: 'network',
  memory: '(memory cache)',
  disk: '(disk cache)',
  revalidated: '(revalidated)',
  'stale-while-revalidate': '(disk cache, stale)',
  prefetch: '(prefetch cache)',
  'early-hints': '(early hints)',
  bfcache: '(back/forward cache)',
  'service-worker': '(ServiceWorker)',
  preload: '(preload)',
  'same-document': '(same document)',
  data: '(data)',
  blob: '(blob)',
  mixed: 'network and disk cache',
  blocked: 'blocked',
  failed: 'failed',
  unknown: '(unknown)',
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

/** Whether a text is the name of a cache source. */
export function isCacheSource(source: string): source is CacheSource {
  return Object.hasOwn(texts, source);
}

/** The text of an answer such as `service-worker/network`; the answer itself when it has no text. */
export function answerText(answer: string): string {
  const detailed = Object.hasOwn(details, answer) ? details[answer] : undefined;
  return detailed ?? (isCacheSource(answer) ? texts[answer] : answer);
}
