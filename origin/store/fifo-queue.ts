/** Values by key, in insertion order. */
export class FifoQueue<Value> {
  readonly #values = new Map<string, Value>();
  /**
   * Positioned before the first entry. A new iterator for each step would skip all entries deleted before the first
   * one: taking 10,000 entries would then need a hundred million steps.
   */
  #front = this.#values.entries();

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Adds a value at the end, also when its key is already in the queue. */
  push(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  /** Removes and returns the first entry; undefined when there is none. */
  shift(): [key: string, value: Value] | undefined {
    if (this.#values.size === 0) return undefined;
    let first = this.#front.next();
    if (first.done) {
      // An iterator that has reached the end stays there, even when entries are added later.
      this.#front = this.#values.entries();
      first = this.#front.next();
    }
    if (first.done) return undefined;
    this.#values.delete(first.value[0]);
    return first.value;
  }

  /** Returns the removed value; undefined when there was none. */
  delete(key: string): Value | undefined {
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }
}
