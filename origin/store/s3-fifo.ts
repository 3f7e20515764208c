import type { EvictionPolicy } from './eviction-policy.ts';
import { FifoQueue } from './fifo-queue.ts';

/** Share of the bytes that the small queue may take. */
const smallShare = 0.1;
/** Maximum read count of an entry; further reads are ignored. */
const mostReads = 3;

interface Entry {
  /** At least 1, so that empty entries count too. */
  bytes: number;
  reads: number;
}

/**
 * S3-FIFO (Yang, Zhang, Qiu, Yue, Rashmi: FIFO queues are all you need for cache eviction, SOSP 2023). New entries
 * start in a small queue. At their turn, entries read more than once move to the main queue; the others are evicted,
 * and their keys are remembered as ghosts, so that a returning key goes directly to the main queue. In the main queue
 * each read gives an entry another round.
 */
export function s3Fifo(): EvictionPolicy {
  const small = new WeighedQueue();
  const main = new WeighedQueue();
  const ghosts = new FifoQueue<true>();

  const remember = (key: string): void => {
    ghosts.push(key, true);
    // As many ghosts as entries in the main queue; while that is small, as many as in the small queue.
    while (ghosts.size > Math.max(main.size, small.size)) ghosts.shift();
  };

  /** The next victim of the small queue; undefined when all its entries moved to the main queue. */
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
    // An entry with reads moves to the end of the queue, at most as often as it was read.
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
      // A rewrite counts as a read: the entry keeps its place in the queue.
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

/** A queue that tracks the total bytes of its entries. */
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

  /** False when the key is not in this queue. */
  rewrite(key: string, bytes: number): boolean {
    const entry = this.get(key);
    if (!entry) return false;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    entry.reads = Math.min(mostReads, entry.reads + 1);
    return true;
  }
}
