import { keptUrl } from '@cachescope/model/load/kept-url.ts';
import type { PageBatch, PageUse } from '@cachescope/model/load/page-batch.ts';
import { withoutFragment } from '@cachescope/model/web-url.ts';
import { Outbox } from '../loads/outbox.ts';
import { isControlled } from './controlled.ts';
import { DigestSchedule, isPrerendering } from './digest-schedule.ts';
import { EntryStream } from './entry-stream.ts';
import { plainTiming } from './resource-entry.ts';
import { type FinishedUse, SharedUses } from './shared-uses.ts';

/** Maximum number of uses kept for a document; the rest is counted. */
const mostUses = 100_000;
/** An entry is delivered within this time after its element's load event, ms. */
const entryDelayMs = 250;
/** Index of the document's own entry among its uses. */
const documentIndex = -1;
/** Entries processed in one slice: about 2 ms. */
const sliceEntries = 50;
/** For a page that is never idle, with two slices a second: the backlog must not grow without limit. */
const busySliceEntries = 1000;
/** An entry without a response that took less than this may be of a blocked request, ms; a response takes longer. */
const longestBlockedMs = 1;

/** A use as it is kept, before its place among the uses is known. */
type Use = Omit<PageUse, 'index' | 'url' | 'hasServiceWorker'>;

/**
 * Collects everything that this document can observe about its resources. It runs in the extension's isolated world, so
 * that a page that replaces `performance` or `PerformanceObserver` has no effect here.
 *
 * While the page loads, the browser delivers entries but the collector reads none (digest-schedule.ts): reading,
 * sending and storing would take time from the measured load.
 */
export class Collector {
  readonly #outbox: Outbox<PageUse>;
  readonly #schedule: DigestSchedule;
  readonly #mayDigest: () => Promise<boolean>;
  readonly #shared = new SharedUses();
  /** Uses that may have been blocked, by URL: the browser may tell this after the entry was processed. */
  readonly #maybeBlocked = new Map<string, { index: number; use: Use }[]>();
  /** Blocked uses that were kept without an entry, by URL: the entry of a frame comes with its error page. */
  readonly #lacksEntry = new Map<string, { index: number; use: Use }[]>();
  #entries: EntryStream | undefined;
  readonly #stops: (() => void)[] = [];
  /** document.open() gives the document the URL of another. */
  readonly #isBlank = location.href.startsWith('about:');
  #hasStarted = false;
  #uses = 0;
  #notKept = 0;
  /** Entries that the browser had dropped; a stream that starts again reports all of them again. */
  #dropped = 0;
  #restoredAtMs: number | null = null;

  /**
   * `send` settles when the batch is stored. `mayDigest` says whether the collected uses are wanted, and is called
   * before the first slice.
   */
  constructor(send: (batch: PageBatch) => Promise<void>, mayDigest: () => Promise<boolean>) {
    this.#mayDigest = mayDigest;
    this.#outbox = new Outbox((uses) => send(this.#batch(uses)));
    this.#schedule = new DigestSchedule((isBusy) => this.#digestSlice(isBusy));
  }

  /** Also takes the entries that the browser has buffered; after a stop, only later ones. */
  start(): void {
    if (this.#entries) return;
    this.#entries = new EntryStream(!this.#hasStarted, () => this.#schedule.touch());
    this.#hasStarted = true;
    this.#shared.watch(() => this.#schedule.touch());
    this.#listen('pagehide', () => this.#leave());
    this.#listen('visibilitychange', () => this.#hidden());
    this.#schedule.start();
  }

  stop(): void {
    this.#digestAll();
    this.#end();
    void this.#outbox.flush();
  }

  /** Stops without sending pending uses. */
  discard(): void {
    this.#outbox.empty();
    this.#end();
  }

  /** The page came back from the back/forward cache, ms since its time origin. */
  restored(atMs: number): void {
    this.#restoredAtMs = atMs;
    this.#schedule.touch();
  }

  #end(): void {
    this.#schedule.stop();
    this.#entries?.disconnect();
    this.#dropped = this.#droppedEntries();
    this.#entries = undefined;
    this.#shared.unwatch();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #listen(type: 'pagehide' | 'visibilitychange', hear: () => void): void {
    // A page may dispatch events of its own.
    const hearTrusted = (event: Event) => void (event.isTrusted && hear());
    addEventListener(type, hearTrusted);
    this.#stops.push(() => removeEventListener(type, hearTrusted));
  }

  /** Chromium may discard a hidden tab without another event. */
  #hidden(): void {
    if (document.visibilityState !== 'hidden' || isPrerendering()) return;
    this.#digestAll();
    void this.#outbox.flush();
  }

  /** A prerendered page that was never activated is not a load. */
  #leave(): void {
    if (isPrerendering()) return;
    this.#digestAll();
    this.#outbox.leave();
  }

  /** Returns whether more is pending. */
  async #digestSlice(isBusy: boolean): Promise<boolean> {
    if (!(await this.#mayDigest()) || !this.#entries) return false;
    return this.#digest(isBusy ? busySliceEntries : sliceEntries);
  }

  #digestAll(): void {
    while (this.#digest(Number.POSITIVE_INFINITY));
  }

  #digest(most: number): boolean {
    const entries = this.#entries?.take(most) ?? [];
    if (entries.length > 0) this.#shared.notePreloads();
    for (const entry of entries) this.#add(entry);
    if (this.#entries?.hasMore) return true;
    for (const use of this.#shared.take(performance.now() - entryDelayMs)) this.#finished(use);
    this.#outbox.touch();
    // Elements that finished just now are processed when their entries must have been delivered.
    if (this.#shared.hasMore) this.#schedule.touch();
    return false;
  }

  #add(entry: PerformanceResourceTiming): void {
    const url = withoutFragment(entry.name);
    const { startTime, initiatorType } = entry;
    const isPreload = this.#shared.isPreloaded(url) || initiatorType === 'early-hints';
    const use = { atMs: startTime, timing: plainTiming(entry), isPreload };
    // The document's own entry is delivered more than once, and is complete only after the load event.
    if (entry.entryType === 'navigation') return this.#keep(url, use, documentIndex);
    this.#shared.know(url, { startTime, initiatorType, isPreload });
    const blocked = this.#takeLacking(url, entry);
    // Sent again with the same index, it replaces what was sent before.
    if (blocked) return this.#keep(url, { ...blocked.use, ...use }, blocked.index);
    const index = this.#uses++;
    const blockedBy = this.#shared.forbids(url, entry);
    if (blockedBy !== undefined) return this.#keep(url, { ...use, blockedBy }, index);
    if (!entry.responseStatus && entry.duration < longestBlockedMs)
      addTo(this.#maybeBlocked, url, { index, use });
    this.#keep(url, use, index);
  }

  #finished(finished: FinishedUse): void {
    const found = this.#shared.withoutEntry(finished);
    if (!found) return;
    const { url, ...rest } = found;
    const { blockedBy } = finished;
    const own = blockedBy === undefined ? undefined : this.#takeBlocked(finished);
    if (own) return this.#keep(url, { ...own.use, blockedBy }, own.index);
    const index = this.#uses++;
    const use = { timing: null, isPreload: false, ...rest };
    if (blockedBy !== undefined) addTo(this.#lacksEntry, url, { index, use });
    this.#keep(url, use, index);
  }

  /** The blocked use that this entry belongs to: its violation came while the entry lasted. */
  #takeLacking(
    url: string,
    { startTime, duration, responseStatus }: PerformanceResourceTiming,
  ): { index: number; use: Use } | undefined {
    const known = responseStatus ? [] : (this.#lacksEntry.get(url) ?? []);
    const place = known.findIndex(
      ({ use: { atMs } }) => startTime <= atMs && atMs <= startTime + duration,
    );
    return place < 0 ? undefined : known.splice(place, 1)[0];
  }

  /**
   * The use that a violation is about: the last that began shortly before it. An earlier one may be a hit in memory, whose
   * entry looks alike.
   */
  #takeBlocked({ url, atMs }: FinishedUse): { index: number; use: Use } | undefined {
    const known = this.#maybeBlocked.get(url) ?? [];
    const place = known.findLastIndex(({ use }) => use.atMs <= atMs);
    const sinceMs = atMs - (known[place]?.use.atMs ?? Number.NEGATIVE_INFINITY);
    return sinceMs <= entryDelayMs ? known.splice(place, 1)[0] : undefined;
  }

  #keep(url: string, use: Use, index: number) {
    if (index >= mostUses) {
      this.#notKept++;
      return;
    }
    const hasServiceWorker = isControlled();
    this.#outbox.add({ ...use, index, url: keptUrl(url), hasServiceWorker });
  }

  #droppedEntries(): number {
    return Math.max(this.#dropped, this.#entries?.dropped ?? 0);
  }

  #batch(uses: readonly PageUse[]): PageBatch {
    const [navigation] = performance.getEntriesByType('navigation');
    const timing = navigation instanceof PerformanceNavigationTiming ? navigation : undefined;
    return {
      url: withoutFragment(location.href),
      origin: self.origin,
      isTop: self === self.top,
      isBlank: this.#isBlank,
      timeOriginMs: performance.timeOrigin,
      activationStartMs: activationOf(timing),
      navigationType: timing?.type ?? null,
      domContentLoadedMs: timing?.domContentLoadedEventEnd || null,
      loadMs: timing?.loadEventEnd || null,
      droppedEntries: this.#notKept + this.#droppedEntries(),
      restoredAtMs: this.#restoredAtMs,
      uses: [...uses],
    };
  }
}

function addTo<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** A field that the type library does not have yet (Prerendering Revamped, section 3.4). */
function activationOf(timing: PerformanceNavigationTiming | undefined): number {
  return (timing as { activationStart?: number } | undefined)?.activationStart ?? 0;
}
