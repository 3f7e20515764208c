/** Processing starts when the page has loaded, or this long after its start, ms. */
const latestStartMs = 3000;
/** The page is quiet when nothing has been delivered for this long, ms. */
const quietMs = 200;
/** A page that is never quiet is processed at this interval, ms. */
const longestMs = 2000;
/** In a page that is never idle a slice runs after this time, ms. */
const idleLimitMs = 500;
/** Maximum duration of a slice, ms. */
const sliceMs = 4;

/**
 * Schedules the processing of collected entries: after the page has loaded, when nothing has been delivered for a
 * while, in slices while the page is idle.
 */
export class DigestSchedule {
  readonly #digest: (isBusy: boolean) => Promise<boolean>;
  #isRunning = false;
  #mayBegin = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startTimer: ReturnType<typeof setTimeout> | undefined;
  #isDigesting = false;
  #firstTouchMs = 0;
  #lastTouchMs = 0;

  /**
   * `digest` processes one slice, a larger one in a page that is never idle, and settles with whether more is pending.
   */
  constructor(digest: (isBusy: boolean) => Promise<boolean>) {
    this.#digest = digest;
  }

  start(): void {
    this.#isRunning = true;
    this.touch();
    if (document.readyState === 'complete') return this.#begin();
    addEventListener('load', this.#begin, { once: true });
    this.#startTimer = setTimeout(this.#begin, latestStartMs);
  }

  stop(): void {
    this.#isRunning = false;
    removeEventListener('load', this.#begin);
    clearTimeout(this.#startTimer);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Called for every delivery, so it does very little. */
  touch(): void {
    this.#lastTouchMs = performance.now();
    if (this.#mayBegin && !this.#timer && !this.#isDigesting) this.#wait();
  }

  readonly #begin = (): void => {
    clearTimeout(this.#startTimer);
    if (isPrerendering()) {
      document.addEventListener('prerenderingchange', this.#begin, { once: true });
      return;
    }
    this.#mayBegin = true;
    this.touch();
  };

  #wait(): void {
    if (!this.#isRunning) return;
    this.#firstTouchMs = performance.now();
    this.#timer = setTimeout(this.#look, quietMs);
  }

  readonly #look = (): void => {
    const now = performance.now();
    const leftMs = this.#lastTouchMs + quietMs - now;
    if (leftMs > 1 && now < this.#firstTouchMs + longestMs) {
      this.#timer = setTimeout(this.#look, leftMs);
      return;
    }
    this.#timer = undefined;
    void this.#digestAll();
  };

  async #digestAll(): Promise<void> {
    if (this.#isDigesting) return;
    this.#isDigesting = true;
    const beganAtMs = this.#lastTouchMs;
    try {
      while (this.#isRunning && (await this.#digestWhileIdle()));
    } finally {
      this.#isDigesting = false;
    }
    if (this.#lastTouchMs > beganAtMs && this.#isRunning && !this.#timer) this.#wait();
  }

  /** Returns whether more is pending. */
  async #digestWhileIdle(): Promise<boolean> {
    const deadline = await idle();
    let hasMore = await this.#digest(deadline.didTimeout);
    while (hasMore && deadline.timeRemaining() > sliceMs) hasMore = await this.#digest(false);
    return hasMore;
  }
}

function idle(): Promise<IdleDeadline> {
  return new Promise((resolve) => {
    requestIdleCallback(resolve, { timeout: idleLimitMs });
  });
}

/** Whether the document is prerendered and not yet activated. */
export function isPrerendering(): boolean {
  return (document as { prerendering?: boolean }).prerendering === true;
}
