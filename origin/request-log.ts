import type { Coding } from '@cachescope/model/coding.ts';
import { OriginError } from './error.ts';

/** A request at its arrival. An absent header is null. */
export interface ArrivedRequest {
  /** ISO 8601, UTC. */
  receivedAt: string;
  method: string;
  /** Path and query as received; truncated, like all texts here, to 2,048 characters. */
  path: string;
  host: string;
  acceptEncoding: string | null;
  /** Hex SHA-256 from Available-Dictionary; null without a valid one. */
  availableDictionary: string | null;
  /** null without a valid Dictionary-ID. */
  dictionaryId: string | null;
  secFetchSite: string | null;
  secFetchMode: string | null;
  secFetchDest: string | null;
  userAgent: string | null;
}

/** One request that reached the origin. */
export interface LoggedRequest extends ArrivedRequest {
  /** Starts at 0 and increases by 1 with every request. */
  sequence: number;
  /** null: not answered yet. */
  status: number | null;
  /** Content coding of the response; null while the request is not answered, and for 304, which has no content. */
  contentCoding: Coding | null;
  /**
   * Body bytes of the response, after content coding; 0 for HEAD and 304; null: not answered yet. Fewer bytes were sent
   * if the client left.
   */
  bodyBytes: number | null;
  /**
   * When the whole response was passed to the network, ISO 8601, UTC; null until then, and forever if the client left.
   */
  finishedAt: string | null;
  /** The cache that a conditional request revalidates for; absent: not conditional, or its route did not check. */
  validatorFrom?: ValidatorFrom;
}

/** The source of If-None-Match: the renderer, for its memory cache or on behalf of the page, or the HTTP cache. */
export type ValidatorFrom = 'renderer' | 'http-cache';

/** Number of requests kept; older ones are dropped. A sweep of a thousand cells stays far below. */
const defaultCapacity = 100_000;
/** Characters kept of each client-chosen text, and of all of them together. */
const longestText = 2048;
const mostCharacters = 64 * 1024 ** 2;

/** A truncated text is copied: otherwise V8 would keep the whole original string in memory. */
function cut(text: string): string {
  if (text.length <= longestText) return text;
  return Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');
}

/** Characters of the texts that an entry has from its arrival: the same number is added and later subtracted. */
function charactersOf(entry: LoggedRequest): number {
  const { contentCoding: _coding, finishedAt: _finishedAt, validatorFrom: _from, ...rest } = entry;
  return Object.values(rest).reduce(
    (sum: number, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

/**
 * Every request that the origin received: the ground truth for whether the network was used. A request is logged when
 * it arrives, before it is answered; its entry is completed in place. Connections without an HTTP request, and requests
 * whose header section is too large, are not logged.
 */
export class RequestLog {
  readonly #capacity: number;
  #entries: LoggedRequest[] = [];
  #oldest = 0;
  #characters = 0;
  #next = Promise.withResolvers<void>();

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Adds a request that has just arrived; the caller completes the returned entry. */
  append(request: ArrivedRequest): LoggedRequest {
    const entry: LoggedRequest = {
      sequence: this.mark(),
      ...request,
      method: cut(request.method),
      path: cut(request.path),
      host: cut(request.host),
      acceptEncoding: request.acceptEncoding && cut(request.acceptEncoding),
      secFetchSite: request.secFetchSite && cut(request.secFetchSite),
      secFetchMode: request.secFetchMode && cut(request.secFetchMode),
      secFetchDest: request.secFetchDest && cut(request.secFetchDest),
      userAgent: request.userAgent && cut(request.userAgent),
      status: null,
      contentCoding: null,
      bodyBytes: null,
      finishedAt: null,
    };
    this.#entries.push(entry);
    this.#characters += charactersOf(entry);
    while (this.#entries.length > this.#capacity || this.#characters > mostCharacters)
      this.#forgetHalf();
    this.changed();
    return entry;
  }

  /** To be called after an entry is completed: wakes the callers that wait for it (`first`). */
  changed(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** The first matching request from a mark on; settles as soon as there is one. An unanswered request can match. */
  async first(mark: number, fits: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
    for (;;) {
      const found = this.since(mark).find(fits);
      if (found) return found;
      await this.#next.promise;
    }
  }

  /** Dropping half at a time keeps the amortized cost of a request constant. */
  #forgetHalf(): void {
    const forgotten = Math.ceil(this.#entries.length / 2);
    for (const entry of this.#entries.slice(0, forgotten)) this.#characters -= charactersOf(entry);
    this.#entries = this.#entries.slice(forgotten);
    this.#oldest += forgotten;
  }

  /** Sequence number of the oldest kept request. */
  oldest(): number {
    return this.#oldest;
  }

  /** A position in the log; `since` returns the requests that arrive after it. */
  mark(): number {
    return this.#oldest + this.#entries.length;
  }

  /**
   * Requests from a mark on, oldest first.
   *
   * @throws OriginError CS_ORIGIN_LOG when some of them are no longer kept: their absence would then prove nothing.
   */
  since(mark: number): readonly LoggedRequest[] {
    if (mark >= this.#oldest) return this.#entries.slice(mark - this.#oldest);
    throw new OriginError(
      'CS_ORIGIN_LOG',
      `the log keeps only requests from ${this.#oldest} on, not from ${mark}; take a mark nearer to the read`,
    );
  }
}
