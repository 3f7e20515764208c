/** Work begins when nothing has happened for this long, ms. */
const quietMs = 200;
/** Work is put off for at most this long, ms: far below the 30 s after which the browser stops an idle service worker. */
const longestMs = 2000;

/** Puts off work until nothing happens any more: while a page loads, storing would take time from it. */
export class QuietTime {
  readonly #work: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstMs = 0;
  #lastMs = 0;

  constructor(work: () => void) {
    this.#work = work;
  }

  /** Something happened: work is to be done. Called for every event, so it does very little. */
  touch(): void {
    this.#lastMs = Date.now();
    if (this.#timer !== undefined) return;
    this.#firstMs = this.#lastMs;
    this.#timer = setTimeout(this.#look, quietMs);
  }

  /** The work is done otherwise. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #look = (): void => {
    const leftMs = Math.min(this.#lastMs + quietMs, this.#firstMs + longestMs) - Date.now();
    if (leftMs > 0) {
      this.#timer = setTimeout(this.#look, leftMs);
      return;
    }
    this.#timer = undefined;
    this.#work();
  };
}
