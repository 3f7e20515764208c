import type { Coding } from '@cachescope/model/coding.ts';
import { OriginError } from './error.ts';

/** What is known of a request when it arrives. A header that did not come is null. */
export interface ArrivedRequest {
  /** ISO 8601, UTC. */
  receivedAt: string;
  method: string;
  /** Path and query as received. */
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
}

/** Requests kept; older ones go. A sweep of a thousand cells stays far below. */
const defaultCapacity = 100_000;

/**
 * Every request that the origin received: the oracle for "was the network touched". A request is in the log from its
 * arrival on, before it is answered; its entry is completed in place. What is no HTTP request (a connection without one,
 * a header section that is too large) is not in the log.
 */
export class RequestLog {
  readonly #capacity: number;
  #entries: LoggedRequest[] = [];
  #oldest = 0;

  constructor(capacity: number = defaultCapacity) {
    this.#capacity = capacity;
  }

  /** Adds a request that has just arrived; the caller completes the returned entry. */
  append(request: ArrivedRequest): LoggedRequest {
    const entry: LoggedRequest = {
      sequence: this.mark(),
      ...request,
      status: null,
      contentCoding: null,
      bodyBytes: null,
      finishedAt: null,
    };
    this.#entries.push(entry);
    if (this.#entries.length > this.#capacity) this.#forgetHalf();
    return entry;
  }

  /** Half at a time keeps the cost of a request constant on average. */
  #forgetHalf(): void {
    const forgotten = Math.ceil(this.#capacity / 2);
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
