/** Processor time of this thread so far, ms. */
function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Takes samples as often as a share of one processor core allows: the cost of each sample is measured, and the next one
 * waits until the average is within the share.
 */
export class Pace {
  readonly #share: number;
  readonly #now: () => number;
  readonly #cpuMs: () => number;
  #nextAt = Number.NEGATIVE_INFINITY;

  /** @param share of one core, 0 to 1. */
  constructor(
    share: number,
    now: () => number = () => performance.now(),
    cpuMs: () => number = threadCpuMs,
  ) {
    this.#share = share;
    this.#now = now;
    this.#cpuMs = cpuMs;
  }

  /** Result of `sample`; null while the next sample exceeds the share. `sample` must be synchronous. */
  take<Seen>(sample: () => Seen): Seen | null {
    const startedAt = this.#now();
    if (startedAt < this.#nextAt) return null;
    const before = this.#cpuMs();
    const seen = sample();
    this.#nextAt = startedAt + (this.#cpuMs() - before) / this.#share;
    return seen;
  }
}
