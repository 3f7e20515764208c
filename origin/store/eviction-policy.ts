/** The order in which a store gives up its entries. It is told of every entry that the store holds, and of nothing else. */
export interface EvictionPolicy {
  /** An entry was written: a new one, or one that was there before. `bytes`: its size, at least 0. */
  written(key: string, bytes: number): void;
  /** An entry was read. */
  read(key: string): void;
  /** An entry is gone, and not because this policy named it. */
  removed(key: string): void;
  /** Names the entry that goes next, and forgets it. undefined when there is none. */
  next(): string | undefined;
}
