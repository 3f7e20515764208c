import { type CacheSource, judgedVerdict } from '@cachescope/model/attribution/cache-source.ts';
import type { PageEvidence } from '@cachescope/model/attribution/evidence.ts';
import { readPage } from '@cachescope/model/attribution/page-signals.ts';
import { schemeOf, withoutFragment } from '@cachescope/model/web-url.ts';
import { isControlled } from '../page/controlled.ts';
import { isPrerendering } from '../page/digest-schedule.ts';
import { originEvidence } from '../page/origin-evidence.ts';

/** Where one resource of this page came from, as far as the page can know. */
export interface FieldSource {
  /** Absolute URL without fragment. */
  url: string;
  /** `unknown`: the page cannot know. */
  source: CacheSource;
  /** A more specific source, such as `http-cache`; absent: there is none, or it is unknown. */
  detail?: string | undefined;
  confidence: 'certain' | 'likely' | 'unknown';
  /** Every signal, in words. */
  reasons: readonly string[];
  /** The browser's own entry; absent for a page that the back/forward cache restored. */
  entry?: PerformanceResourceTiming;
}

/** Options of `onCacheSource`. */
export interface FieldOptions {
  /** Share of page views that are observed, 0 to 1; default 1. */
  sampleRate?: number;
}

/** Entries read in one slice of idle time: about 2 ms. */
const sliceEntries = 50;
/** In a page that is never idle, a slice runs after this time, ms. */
const idleLimitMs = 1000;

/**
 * Calls `callback` once for each resource of this page, the document included, with the cache that it came from, also
 * for those that loaded before the call. Entries are read in idle time after the load event, and when the page is
 * hidden; of a prerendered page after its activation. Returns a function that stops it.
 */
export function onCacheSource(
  callback: (found: FieldSource) => void,
  { sampleRate = 1 }: FieldOptions = {},
): () => void {
  // An old browser, or a page that removed it.
  if (typeof PerformanceObserver !== 'function' || Math.random() >= sampleRate) return () => {};
  let idleId: ReturnType<typeof requestIdleCallback> | undefined;
  const lists: PerformanceObserverEntryList[] = [];
  const pending: PerformanceEntryList = [];
  let ownEntry: PerformanceResourceTiming | undefined;
  let isOwnTold = false;
  const tell = (url: string, page: PageEvidence, entry?: PerformanceResourceTiming): void => {
    const evidence = { scheme: schemeOf(url), page };
    const { verdict } = judgedVerdict(evidence, [{ depth: 'page', ...readPage(page) }]);
    callback({ url, ...verdict, source: verdict.source as CacheSource, ...(entry && { entry }) });
  };
  const tellEntry = (entry: PerformanceResourceTiming): void => {
    const url = withoutFragment(entry.name);
    const origin = originEvidence(url, self.origin);
    tell(url, { timing: entry, hasServiceWorker: isControlled(), ...origin }, entry);
  };
  const read = (most: number): void => {
    // Lists are kept unread until now: the cost is in exposing their entries to a script.
    for (const list of lists.splice(0)) pending.push(...list.getEntries());
    pending.push(...observer.takeRecords());
    for (const entry of pending.splice(0, most) as PerformanceResourceTiming[]) {
      // The document's own entry is delivered more than once, and is complete only after the load event.
      if (entry.entryType === 'navigation') ownEntry = entry;
      else tellEntry(entry);
    }
    if (!ownEntry || isOwnTold || document.readyState !== 'complete') return;
    isOwnTold = true;
    tellEntry(ownEntry);
  };
  const slice = (): void => {
    idleId = undefined;
    read(sliceEntries);
    if (pending.length > 0) later();
  };
  const later = (): void => {
    if (isPrerendering() || document.readyState !== 'complete') return;
    idleId ??= requestIdleCallback(slice, { timeout: idleLimitMs });
  };
  const hide = (): void => {
    if (document.visibilityState === 'hidden' && !isPrerendering()) read(Infinity);
  };
  const show = ({ persisted }: PageTransitionEvent): void => {
    const url = withoutFragment(location.href);
    if (persisted) tell(url, { timing: null, isBackForwardRestore: true });
  };
  const observer = new PerformanceObserver((list) => {
    lists.push(list);
    later();
  });
  for (const type of ['resource', 'navigation']) observer.observe({ type, buffered: true });
  const ending = new AbortController();
  const { signal } = ending;
  addEventListener('load', later, { signal });
  addEventListener('pageshow', show, { signal });
  document.addEventListener('prerenderingchange', later, { signal });
  document.addEventListener('visibilitychange', hide, { signal });
  return () => {
    ending.abort();
    observer.disconnect();
    if (idleId !== undefined) cancelIdleCallback(idleId);
  };
}
