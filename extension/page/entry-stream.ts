/** A field that the type library lacks (Performance Timeline, PerformanceObserverCallbackOptions). */
interface Dropped {
  droppedEntriesCount?: number;
}

/**
 * The document's Resource Timing and navigation entries as the browser delivers them. The delivered lists are kept
 * unread: the cost is in exposing their entries to a script.
 */
export class EntryStream {
  /** Entries that the browser had dropped before the stream started. */
  dropped = 0;
  readonly #observers: PerformanceObserver[];
  readonly #lists: PerformanceObserverEntryList[] = [];
  #seen: PerformanceResourceTiming[] = [];
  #place = 0;

  /** `isBuffered`: includes the entries that the browser has buffered. `delivered` is called for each delivery. */
  constructor(isBuffered: boolean, delivered: () => void) {
    const hear = (list: PerformanceObserverEntryList, _: unknown, options?: Dropped): void => {
      this.dropped += options?.droppedEntriesCount ?? 0;
      this.#lists.push(list);
      delivered();
    };
    this.#observers = (['resource', 'navigation'] as const).map((type) => {
      const observer = new PerformanceObserver(hear);
      observer.observe({ type, buffered: isBuffered });
      return observer;
    });
  }

  /** The next entries, oldest first, at most `most`. Entries not delivered yet are taken when no others are pending. */
  take(most: number): PerformanceResourceTiming[] {
    const taken: PerformanceResourceTiming[] = [];
    while (taken.length < most && (this.hasMore || this.#takeRecords())) {
      if (this.#place >= this.#seen.length) this.#open(this.#lists.shift()?.getEntries() ?? []);
      const next = this.#seen.slice(this.#place, this.#place + most - taken.length);
      this.#place += next.length;
      for (const entry of next) taken.push(entry);
    }
    return taken;
  }

  #open(entries: PerformanceEntryList): void {
    this.#place = 0;
    this.#seen = entries.filter((entry) => entry instanceof PerformanceResourceTiming);
  }

  /** Returns whether there were any. */
  #takeRecords(): boolean {
    this.#open(this.#observers.flatMap((each) => each.takeRecords()));
    return this.#seen.length > 0;
  }

  /** Whether delivered entries are pending. */
  get hasMore(): boolean {
    return this.#place < this.#seen.length || this.#lists.length > 0;
  }

  disconnect(): void {
    for (const observer of this.#observers) observer.disconnect();
  }
}
