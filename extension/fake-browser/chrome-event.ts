/** An event of the chrome APIs. As in Chromium, adding the same listener twice adds it once. */
export class FakeEvent {
  readonly #listeners = new Set<(...told: never[]) => unknown>();

  addListener(listener: (...told: never[]) => unknown): void {
    this.#listeners.add(listener);
  }

  removeListener(listener: (...told: never[]) => unknown): void {
    this.#listeners.delete(listener);
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** Returns the return values of the listeners. */
  emit(...told: unknown[]): unknown[] {
    return [...this.#listeners].map((listener) => listener(...(told as never[])));
  }
}
