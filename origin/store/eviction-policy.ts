/** The order in which a store evicts its entries. It is notified of every entry in the store, and of no other entry. */
export interface EvictionPolicy {
  /** An entry was written: a new one, or an existing one. `bytes`: its size, at least 0. */
  written(key: string, bytes: number): void;
  /** An entry was read. */
  read(key: string): void;
  /** An entry was removed, but not by this policy's choice. */
  removed(key: string): void;
  /** Returns the next entry to evict, and forgets it. undefined when there is none. */
  next(): string | undefined;
}
