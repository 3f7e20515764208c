/** Resource Timing entries and their observers. */

/** An object that a page could fake: it has the fields of an entry but is not one. */
export class FakeEntry {
  declare readonly entryType: string;
  declare readonly name: string;
  declare readonly startTime: number;

  constructor(fields: object, defaults: object = {}) {
    const common = { entryType: 'resource', name: '', startTime: 0, duration: 0 };
    Object.assign(this, common, defaults, fields);
  }
}

export class FakeResourceEntry extends FakeEntry {
  constructor(fields: object, defaults: object = {}) {
    super(fields, { initiatorType: 'script', ...defaults });
  }
}

export class FakeNavigationEntry extends FakeResourceEntry {
  constructor(fields: object) {
    const loading = { type: 'navigate', domContentLoadedEventEnd: 0, loadEventEnd: 0 };
    super(fields, { entryType: 'navigation', initiatorType: 'navigation', ...loading });
  }
}

type Hear = (list: object, observer: object, options: { droppedEntriesCount?: number }) => void;

interface Observing {
  note: (entry: FakeEntry) => void;
  deliver: (dropped: number) => void;
}

/** The document's buffered entries; the test decides when they are delivered. */
export class FakeTimeline {
  readonly entries: FakeEntry[] = [];
  readonly #observers = new Set<Observing>();
  /** Entries that the browser dropped because its buffer was full. */
  dropped = 0;

  /** The document's `PerformanceObserver`. */
  readonly Observer = observerOf(this.entries, this.#observers);

  /** Adds an entry without delivering it. */
  add = (entry: FakeEntry): void => {
    this.entries.push(entry);
    for (const observer of this.#observers) observer.note(entry);
  };

  /** The task in which observers are called. */
  deliver(): void {
    for (const observer of this.#observers) observer.deliver(this.dropped);
  }
}

function observerOf(entries: readonly FakeEntry[], observers: Set<Observing>) {
  return class {
    readonly #hear: Hear;
    #waiting: FakeEntry[] = [];
    #type = '';
    #isNew = true;

    constructor(hear: Hear) {
      this.#hear = hear;
    }

    observe({ type, buffered }: { type: string; buffered: boolean }): void {
      this.#type = type;
      if (buffered) for (const entry of entries) this.note(entry);
      observers.add(this);
    }

    note(entry: FakeEntry): void {
      if (entry.entryType === this.#type) this.#waiting.push(entry);
    }

    takeRecords(): FakeEntry[] {
      return this.#waiting.splice(0);
    }

    deliver(dropped: number): void {
      const found = this.takeRecords();
      if (found.length === 0) return;
      const list = { getEntries: () => found, getEntriesByType: () => found };
      // Only the first delivery has droppedEntriesCount, and only for the observer's own type.
      const reportsDropped = this.#isNew && this.#type === 'resource';
      this.#isNew = false;
      this.#hear(list, this, reportsDropped ? { droppedEntriesCount: dropped } : {});
    }

    disconnect(): void {
      observers.delete(this);
      this.#waiting = [];
    }
  };
}
