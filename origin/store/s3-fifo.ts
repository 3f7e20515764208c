import type { EvictionPolicy } from './eviction-policy.ts';

/** Share of the bytes that entries on trial may take. */
const smallShare = 0.1;
/** Reads beyond so many count no more. */
const mostReads = 3;

interface Entry {
  /** At least 1, so that empty entries have a share too. */
  bytes: number;
  reads: number;
}

/**
 * S3-FIFO (Yang, Zhang, Qiu, Yue, Rashmi: FIFO queues are all you need for cache eviction, SOSP 2023): new entries are on
 * trial in a small queue; those read more than once by their turn move to the main queue, the others go, and their keys are
 * remembered, so that one that comes back goes to the main queue at once. In the main queue a read buys another round.
 */
export function s3Fifo(): EvictionPolicy {
  const small = new FifoQueue();
  const main = new FifoQueue();
  const ghosts = new Set<string>();

  const remember = (key: string): void => {
    ghosts.add(key);
    // As many as the main queue has, and some to begin with.
    const most = Math.max(main.size, small.size);
    while (ghosts.size > most) ghosts.delete(ghosts.keys().next().value ?? '');
  };

  /** undefined when all of them moved to the main queue. */
  const nextOnTrial = (): string | undefined => {
    for (const [key, entry] of small.entries()) {
      small.delete(key);
      if (entry.reads <= 1) {
        remember(key);
        return key;
      }
      main.add(key, { ...entry, reads: 0 });
    }
    return undefined;
  };

  const nextOfMain = (): string | undefined => {
    // What is read again moves behind the others and is seen again: at most so often as it was read.
    for (const [key, entry] of main.entries()) {
      main.delete(key);
      if (entry.reads === 0) return key;
      main.add(key, { ...entry, reads: entry.reads - 1 });
    }
    return undefined;
  };

  return {
    written(key, bytes) {
      const held = small.get(key) ?? main.get(key);
      const size = Math.max(1, bytes);
      if (held) {
        const queue = small.get(key) ? small : main;
        // Its place in the queue is that of its first writing: a rewrite counts as a use.
        queue.resize(key, size);
        held.reads = Math.min(mostReads, held.reads + 1);
        return;
      }
      (ghosts.delete(key) ? main : small).add(key, { bytes: size, reads: 0 });
    },
    read(key) {
      const entry = small.get(key) ?? main.get(key);
      if (entry) entry.reads = Math.min(mostReads, entry.reads + 1);
    },
    removed(key) {
      small.delete(key);
      main.delete(key);
    },
    next() {
      const smallIsFull = small.bytes >= smallShare * (small.bytes + main.bytes);
      if (smallIsFull) return nextOnTrial() ?? nextOfMain();
      return nextOfMain() ?? nextOnTrial();
    },
  };
}

/** Entries in the order of their coming, with their bytes. */
class FifoQueue {
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  get size(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  entries(): Iterable<[string, Entry]> {
    return this.#entries.entries();
  }

  add(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  resize(key: string, bytes: number): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }
}
