/** Work begins when nothing has happened for this long, ms. */
const quietMs = 200;
/** Work is put off for at most this long, ms. */
const longestMs = 2000;
/** The same while a page loads, ms: below the 30 s after which the browser stops an idle service worker. */
const loadingMs = 20_000;

/** Puts off work until nothing happens any more: while a page loads, storing would take time from it. */
export class QuietTime {
  readonly #work: () => void;
  readonly #isLoading: () => Promise<boolean>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstMs = 0;
  #lastMs = 0;

  /** `isLoading` is asked only where events do not end within `longestMs`. */
  constructor(work: () => void, isLoading: () => Promise<boolean>) {
    this.#work = work;
    this.#isLoading = isLoading;
  }

  /** Something happened: work is to be done. Called for every event, so it does very little. */
  touch(): void {
    this.#lastMs = Date.now();
    if (this.#timer !== undefined) return;
    this.#firstMs = this.#lastMs;
    this.#lookAfter(quietMs);
  }

  /** The work is done otherwise. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(() => void this.#look(), ms);
  }

  async #look(): Promise<void> {
    const nowMs = Date.now();
    const untilQuietMs = this.#lastMs + quietMs - nowMs;
    const leftMs = Math.min(untilQuietMs, this.#firstMs + longestMs - nowMs);
    if (leftMs > 0) return this.#lookAfter(leftMs);
    const own = this.#timer;
    const mayWait = untilQuietMs > 0 && nowMs < this.#firstMs + loadingMs;
    const isLoading = mayWait && (await this.#isLoading().catch(() => false));
    // Cancelled meanwhile, and perhaps begun again.
    if (this.#timer !== own) return;
    if (isLoading) return this.#lookAfter(untilQuietMs);
    this.#timer = undefined;
    this.#work();
  }
}
