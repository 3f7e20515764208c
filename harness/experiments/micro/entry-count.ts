import type { RequestLog } from '@cachescope/origin/request-log.ts';

/** How often the log is read, ms: longer than a usual slice, and far less than the log takes to forget. */
const readEveryMs = 5000;

/**
 * Counts the requests for resources that reach an origin from now on, however many: the log keeps only the newest, so a long
 * slice's are counted while they come.
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
      // What is lost already is told by take().
      if (log.oldest() <= this.#mark) this.#read();
    }, readEveryMs);
  }

  /**
   * All requests so far, and the different resources among them.
   *
   * @throws OriginError CS_ORIGIN_LOG when the log forgot some before they were counted.
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

/** True for a resource that is read, as opposed to pages, tasks and clearing. */
function isEntry({ path }: { path: string }): boolean {
  return path.includes('/entry/') || path.includes('/script/');
}
