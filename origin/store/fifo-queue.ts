/** Values by key in the order of their coming. */
export class FifoQueue<Value> {
  readonly #values = new Map<string, Value>();
  /**
   * Stands before the first. A new iterator for each would pass all that was ever deleted before the first: giving up 10,000
   * entries then takes a hundred million steps.
   */
  #front = this.#values.entries();

  get size(): number {
    return this.#values.size;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  /** Puts a value at the end, also when its key was somewhere before. */
  push(key: string, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
  }

  /** Takes the first; undefined when there is none. */
  shift(): [key: string, value: Value] | undefined {
    if (this.#values.size === 0) return undefined;
    let first = this.#front.next();
    if (first.done) {
      // One that has come to the end stays there, whatever was added since.
      this.#front = this.#values.entries();
      first = this.#front.next();
    }
    if (first.done) return undefined;
    this.#values.delete(first.value[0]);
    return first.value;
  }

  /** The value that went; undefined when it was not here. */
  delete(key: string): Value | undefined {
    const value = this.#values.get(key);
    this.#values.delete(key);
    return value;
  }
}
