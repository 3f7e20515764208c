import type { PageBatch, PageUse } from '@cachescope/model/page-batch.ts';
import { Outbox } from './outbox.ts';
import { plainTiming } from './resource-entry.ts';
import { type FinishedUse, preloadedUrls, watchElements, withoutFragment } from './shared-uses.ts';

/** Uses kept of one document; the rest is counted. */
const mostUses = 100_000;
/** An entry is delivered within so long of its element's load event, ms. */
const entryDelayMs = 250;
/** Characters of a data: URL that are kept; the rest is its body. */
const mostDataUrl = 2048;
/** Place of the document's own entry among its uses. */
const documentIndex = -1;
/** What the type library leaves out (Performance Timeline, PerformanceObserverCallbackOptions). */
interface Dropped {
  droppedEntriesCount?: number;
}

/** What is remembered of an entry, for uses that share it. */
interface KnownEntry {
  startTime: number;
  initiatorType: string;
  isPreload: boolean;
}

/**
 * Collects what this document can see of its resources. It runs in the extension's own world, so that a page that
 * replaces `performance` or `PerformanceObserver` changes nothing here.
 */
export class Collector {
  readonly #outbox: Outbox<PageUse>;
  readonly #entries = new Map<string, KnownEntry[]>();
  /** How many of a URL's entries are spoken for by elements of a tag that finished. */
  readonly #claimed = new Map<string, number>();
  readonly #stops: (() => void)[] = [];
  /** Take what the browser has not delivered yet. */
  readonly #takes: (() => void)[] = [];
  #hasStarted = false;
  #uses = 0;
  #droppedEntries = 0;
  #restoredAtMs: number | null = null;

  /** `send` settles when the batch is stored. */
  constructor(send: (batch: PageBatch) => Promise<void>) {
    this.#outbox = new Outbox((uses) => send(this.#batch(uses)));
  }

  /** Also takes the entries that the browser has kept from before; after a stop, only what comes then. */
  start(): void {
    if (this.#stops.length > 0) return;
    this.#observe('resource');
    this.#observe('navigation');
    this.#hasStarted = true;
    this.#stops.push(watchElements((use) => this.#finished(use)));
    const restored = (event: PageTransitionEvent): void => {
      if (!event.persisted) return;
      this.#restoredAtMs = event.timeStamp;
      this.#outbox.touch();
    };
    const leave = (): void => {
      for (const take of this.#takes) take();
      this.#outbox.leave();
    };
    const progressed = (): void => this.#outbox.touch();
    addEventListener('pageshow', restored);
    addEventListener('pagehide', leave);
    addEventListener('load', progressed);
    this.#stops.push(() => removeEventListener('pageshow', restored));
    this.#stops.push(() => removeEventListener('pagehide', leave));
    this.#stops.push(() => removeEventListener('load', progressed));
    this.#outbox.touch();
  }

  stop(): void {
    for (const stop of this.#stops.splice(0)) stop();
    this.#takes.length = 0;
    void this.#outbox.flush();
  }

  /** Stops, and sends nothing of what it has. */
  discard(): void {
    this.#outbox.empty();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #observe(type: 'resource' | 'navigation'): void {
    const see = (entries: PerformanceEntryList): void => {
      const preloaded = preloadedUrls();
      for (const entry of entries) {
        if (entry instanceof PerformanceResourceTiming) this.#add(entry, preloaded);
      }
    };
    const hear = (list: PerformanceObserverEntryList, _: unknown, options?: Dropped): void => {
      this.#droppedEntries += options?.droppedEntriesCount ?? 0;
      see(list.getEntries());
    };
    const observer = new PerformanceObserver(hear);
    observer.observe({ type, buffered: !this.#hasStarted });
    this.#takes.push(() => see(observer.takeRecords()));
    this.#stops.push(() => observer.disconnect());
  }

  #add(entry: PerformanceResourceTiming, preloaded: ReadonlySet<string>): void {
    const url = withoutFragment(entry.name);
    const { startTime, initiatorType } = entry;
    const use = {
      atMs: startTime,
      timing: plainTiming(entry),
      isPreload: preloaded.has(url) || initiatorType === 'early-hints',
    };
    // The document's own entry is delivered more than once, and is whole only when it has loaded.
    if (entry.entryType === 'navigation') return this.#keep(url, use, documentIndex);
    this.#remember(url, { startTime, initiatorType, isPreload: use.isPreload });
    this.#keep(url, use, this.#uses++);
  }

  #remember(url: string, entry: KnownEntry): void {
    const known = this.#entries.get(url) ?? [];
    known.push(entry);
    this.#entries.set(url, known);
  }

  #finished({ url: found, tag, atMs }: FinishedUse): void {
    const url = withoutFragment(found);
    setTimeout(() => {
      const entries = this.#entries.get(url) ?? [];
      const place = `${tag} ${url}`;
      const claimed = (this.#claimed.get(place) ?? 0) + 1;
      // An element's own entry is named after its tag, or after the early hint that the browser had; what a preload
      // fetched is named link.
      const own = new Set([tag, 'early-hints']);
      if (claimed <= entries.filter(({ initiatorType }) => own.has(initiatorType)).length) {
        this.#claimed.set(place, claimed);
        return;
      }
      const earlierEntry = entries.at(-1);
      if (!earlierEntry && !/^(data|blob):/i.test(url)) return;
      const use = { atMs, timing: null, tag, isPreload: false };
      this.#keep(url, earlierEntry ? { ...use, earlierEntry } : use, this.#uses++);
    }, entryDelayMs);
  }

  #keep(url: string, use: Omit<PageUse, 'index' | 'url' | 'hasServiceWorker'>, index: number) {
    if (index >= mostUses) {
      this.#droppedEntries++;
      return this.#outbox.touch();
    }
    const hasServiceWorker = Boolean(navigator.serviceWorker?.controller);
    const shortUrl = url.startsWith('data:') ? url.slice(0, mostDataUrl) : url;
    this.#outbox.add({ ...use, index, url: shortUrl, hasServiceWorker });
  }

  #batch(uses: readonly PageUse[]): PageBatch {
    const [navigation] = performance.getEntriesByType('navigation');
    const timing = navigation instanceof PerformanceNavigationTiming ? navigation : undefined;
    return {
      url: withoutFragment(location.href),
      timeOriginMs: performance.timeOrigin,
      navigationType: timing?.type ?? null,
      domContentLoadedMs: timing?.domContentLoadedEventEnd || null,
      loadMs: timing?.loadEventEnd || null,
      droppedEntries: this.#droppedEntries,
      restoredAtMs: this.#restoredAtMs,
      uses: [...uses],
    };
  }
}
