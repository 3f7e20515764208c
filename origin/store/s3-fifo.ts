import type { EvictionPolicy } from './eviction-policy.ts';
import { FifoQueue } from './fifo-queue.ts';

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
  const small = new WeighedQueue();
  const main = new WeighedQueue();
  const ghosts = new FifoQueue<true>();

  const remember = (key: string): void => {
    ghosts.push(key, true);
    // As many as the main queue has, and some to begin with.
    while (ghosts.size > Math.max(main.size, small.size)) ghosts.shift();
  };

  /** undefined when all of them moved to the main queue. */
  const nextOnTrial = (): string | undefined => {
    for (let first = small.shift(); first; first = small.shift()) {
      const [key, { bytes, reads }] = first;
      if (reads <= 1) {
        remember(key);
        return key;
      }
      main.push(key, { bytes, reads: 0 });
    }
    return undefined;
  };

  const nextOfMain = (): string | undefined => {
    // What was read moves behind the others and is seen again, at most so often as it was read.
    for (let first = main.shift(); first; first = main.shift()) {
      const [key, { bytes, reads }] = first;
      if (reads === 0) return key;
      main.push(key, { bytes, reads: reads - 1 });
    }
    return undefined;
  };

  return {
    written(key, bytes) {
      const size = Math.max(1, bytes);
      // A rewriting counts as a use: the place in its queue is that of the first writing.
      if (small.rewrite(key, size) || main.rewrite(key, size)) return;
      const queue = ghosts.delete(key) ? main : small;
      queue.push(key, { bytes: size, reads: 0 });
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

/** A queue that knows how many bytes its entries have together. */
class WeighedQueue extends FifoQueue<Entry> {
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  override push(key: string, entry: Entry): void {
    super.push(key, entry);
    this.#bytes += entry.bytes;
  }

  override shift(): [key: string, entry: Entry] | undefined {
    const first = super.shift();
    this.#bytes -= first?.[1].bytes ?? 0;
    return first;
  }

  override delete(key: string): Entry | undefined {
    const entry = super.delete(key);
    this.#bytes -= entry?.bytes ?? 0;
    return entry;
  }

  /** False when the key is not here. */
  rewrite(key: string, bytes: number): boolean {
    const entry = this.get(key);
    if (!entry) return false;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    entry.reads = Math.min(mostReads, entry.reads + 1);
    return true;
  }
}
