/** Items are collected for this long before they are sent, ms. */
const gatherMs = 150;
/** A batch that was not acknowledged is sent again after this time, ms. */
const retryMs = 500;
const mostPerBatch = 500;
/** Chromium refuses messages above 64 MiB. */
const mostPerLeaving = 10_000;

/**
 * Sends items in batches, and keeps them until they are acknowledged: the service worker that stores them may be stopped
 * at any moment. A batch may arrive twice, so items carry keys.
 */
export class Outbox<Item> {
  readonly #send: (items: readonly Item[]) => Promise<void>;
  readonly #waiting: Item[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isSending = false;
  #isDirty = false;

  /** `send` resolves when the batch is stored, and rejects when that is unknown. */
  constructor(send: (items: readonly Item[]) => Promise<void>) {
    this.#send = send;
  }

  add(...items: readonly Item[]): void {
    for (const item of items) this.#waiting.push(item);
    this.touch();
  }

  /** Sends a batch soon, even an empty one, because other data is sent with it. */
  touch(): void {
    this.#isDirty = true;
    this.#timer ??= setTimeout(() => void this.flush(), gatherMs);
  }

  /**
   * Sends everything immediately, including the batch in progress: the page is about to unload, and a duplicate has no
   * effect.
   */
  leave(): void {
    if (!this.#isDirty && !this.#isSending) return;
    const count = Math.max(1, Math.ceil(this.#waiting.length / mostPerLeaving));
    for (let batch = 0; batch < count; batch++) {
      const from = batch * mostPerLeaving;
      const items = this.#waiting.slice(from, from + mostPerLeaving);
      void this.#send(items).catch(() => undefined);
    }
  }

  /** Discards the waiting items. */
  empty(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
    this.#isDirty = false;
  }

  /** Sends the waiting items now. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isSending || !this.#isDirty) return;
    this.#isSending = true;
    const batch = this.#waiting.slice(0, mostPerBatch);
    this.#isDirty = batch.length < this.#waiting.length;
    try {
      await this.#send(batch);
      this.#waiting.splice(0, batch.length);
    } catch {
      this.#isDirty = true;
      this.#timer ??= setTimeout(() => void this.flush(), retryMs);
    } finally {
      this.#isSending = false;
    }
    if (this.#isDirty && this.#timer === undefined) await this.flush();
  }
}
