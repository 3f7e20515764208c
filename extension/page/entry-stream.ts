/** What the type library leaves out (Performance Timeline, PerformanceObserverCallbackOptions). */
interface Dropped {
  droppedEntriesCount?: number;
}

/**
 * The document's Resource Timing and navigation entries as the browser delivers them. What is delivered is kept as it
 * came, without a look at it: making its entries visible to a script is what costs.
 */
export class EntryStream {
  /** Entries that the browser had dropped before it was watched. */
  dropped = 0;
  readonly #observers: PerformanceObserver[];
  readonly #lists: PerformanceObserverEntryList[] = [];
  #seen: PerformanceResourceTiming[] = [];
  #place = 0;

  /** `isBuffered`: also what the browser has kept from before. `delivered` is called for each delivery. */
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

  /** The next entries, oldest first, at most so many; those that are still on their way when no others wait. */
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

  /** More has been delivered. */
  get hasMore(): boolean {
    return this.#place < this.#seen.length || this.#lists.length > 0;
  }

  disconnect(): void {
    for (const observer of this.#observers) observer.disconnect();
  }
}
