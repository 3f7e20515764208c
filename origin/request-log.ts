import type { Coding } from '@cachescope/model/coding.ts';
import { OriginError } from './error.ts';

/** What is known of a request when it arrives. A header that did not come is null. */
export interface ArrivedRequest {
  /** ISO 8601, UTC. */
  receivedAt: string;
  method: string;
  /** Path and query as received, like all texts here to at most 2,048 characters. */
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
  /** Rises by 1 with every request, from 0. */
  sequence: number;
  /** null while the request is not answered. */
  status: number | null;
  /** Content coding of the answer; null while the request is not answered, and for 304, which has no content. */
  contentCoding: Coding | null;
  /**
   * Body bytes of the answer, after content coding; 0 for HEAD and 304; null while the request is not answered. Fewer
   * went out when the client left.
   */
  bodyBytes: number | null;
  /** When the whole answer was handed to the network, ISO 8601, UTC; null until then, and for good if the client left. */
  finishedAt: string | null;
  /** Whose copy a conditional request asks about; absent: it is not conditional, or its route did not look. */
  validatorFrom?: ValidatorFrom;
}

/** Who wrote If-None-Match: the renderer, for its memory cache or because the page said so, or the HTTP cache. */
export type ValidatorFrom = 'renderer' | 'http-cache';

/** Requests kept; older ones go. A sweep of a thousand cells stays far below. */
const defaultCapacity = 100_000;
/** Characters kept of each text that a client chooses, and of all of them together. */
const longestText = 2048;
const mostCharacters = 64 * 1024 ** 2;

/** A cut text is copied: V8 would keep the whole one behind a part of it. */
function cut(text: string): string {
  if (text.length <= longestText) return text;
  return Buffer.from(text.slice(0, longestText), 'utf16le').toString('utf16le');
}

function charactersOf(request: ArrivedRequest): number {
  return Object.values(request).reduce(
    (sum: number, value: unknown) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

/**
 * Every request that the origin received: the oracle for "was the network touched". A request is in the log from its
 * arrival on, before it is answered; its entry is completed in place. What is no HTTP request (a connection without one,
 * a header section that is too large) is not in the log.
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

  /** Whoever completes an entry says so here, for those who wait for it (`first`). */
  changed(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** The first request that fits, from a mark on; settles as soon as there is one. An unanswered request can fit. */
  async first(mark: number, fits: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
    for (;;) {
      const found = this.since(mark).find(fits);
      if (found) return found;
      await this.#next.promise;
    }
  }

  /** Half at a time keeps the cost of a request constant on average. */
  #forgetHalf(): void {
    const forgotten = Math.ceil(this.#entries.length / 2);
    for (const entry of this.#entries.slice(0, forgotten)) this.#characters -= charactersOf(entry);
    this.#entries = this.#entries.slice(forgotten);
    this.#oldest += forgotten;
  }

  /** Sequence of the oldest request that is kept. */
  oldest(): number {
    return this.#oldest;
  }

  /** A place in the log; the requests since it are those that arrive from now on. */
  mark(): number {
    return this.#oldest + this.#entries.length;
  }

  /**
   * Requests from a mark on, oldest first.
   *
   * @throws OriginError CS_ORIGIN_LOG when some of them are no longer kept: silence would then prove nothing.
   */
  since(mark: number): readonly LoggedRequest[] {
    if (mark >= this.#oldest) return this.#entries.slice(mark - this.#oldest);
    throw new OriginError(
      'CS_ORIGIN_LOG',
      `requests from ${mark} on were asked for, but the log keeps only ${this.#oldest} and later; take a mark nearer to the read`,
    );
  }
}
