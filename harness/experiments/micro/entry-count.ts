import type { RequestLog } from '@cachescope/origin/request-log.ts';

/**
 * Interval at which the log is read, ms: longer than a usual slice, and much shorter than the log keeps its requests.
 */
const readEveryMs = 5000;

/**
 * Counts the requests for resources that reach an origin from now on. The log keeps only the newest requests, so those
 * of a long slice are counted while they arrive.
 */
export class EntryCount implements Disposable {
  readonly #log: RequestLog;
  readonly #timer: NodeJS.Timeout;
  #mark: number;
  #requests = 0;
  readonly #paths = new Set<string>();

  constructor(log: RequestLog) {
    this.#log = log;
    this.#mark = log.mark();
    this.#timer = setInterval(() => {
      // Requests that are already lost are reported by take().
      if (log.oldest() <= this.#mark) this.#read();
    }, readEveryMs);
  }

  /**
   * All requests so far, and the number of distinct resources.
   *
   * @throws OriginError CS_ORIGIN_LOG when the log dropped requests before they were counted.
   */
  take(): { requests: number; distinct: number } {
    this.#read();
    return { requests: this.#requests, distinct: this.#paths.size };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #read(): void {
    const arrived = this.#log.since(this.#mark);
    this.#mark += arrived.length;
    for (const { path } of arrived.filter(isEntry)) {
      this.#requests++;
      this.#paths.add(path);
    }
  }
}

/** True for a resource that is read; false for pages, tasks and clearing. */
function isEntry({ path }: { path: string }): boolean {
  return path.includes('/entry/') || path.includes('/script/');
}
