import type { Coding } from '@cachescope/model/coding.ts';

/** One request that reached the origin. */
export interface LoggedRequest {
  /** Rises by 1 with every request, from 0. */
  sequence: number;
  /** ISO 8601, UTC. */
  receivedAt: string;
  method: string;
  /** Path and query as received. */
  path: string;
  host: string;
  /** Hex SHA-256 from Available-Dictionary; null without a valid one. */
  availableDictionary: string | null;
  dictionaryId: string | null;
  acceptEncoding: string | null;
  /** null while the response is not complete. */
  status: number | null;
  /** Content coding that was served; null while the response is not complete. */
  contentCoding: Coding | null;
  /** Body bytes on the wire, after content coding; null while the response is not complete. */
  bodyBytes: number | null;
}

/** Requests kept; older ones go. A sweep of a thousand cells stays far below. */
const capacity = 100_000;

/**
 * Every request that the origin received: the oracle for "was the network touched". A request is in the log from its
 * arrival on, before it is answered.
 */
export class RequestLog {
  #entries: LoggedRequest[] = [];
  #next = 0;

  /** Adds a request that has just arrived; the caller completes the returned entry. */
  begin(
    request: Omit<LoggedRequest, 'sequence' | 'status' | 'contentCoding' | 'bodyBytes'>,
  ): LoggedRequest {
    const entry: LoggedRequest = {
      sequence: this.#next++,
      ...request,
      status: null,
      contentCoding: null,
      bodyBytes: null,
    };
    this.#entries.push(entry);
    // Dropping half at a time keeps the cost of a request constant on average.
    if (this.#entries.length > capacity) this.#entries = this.#entries.slice(capacity / 2);
    return entry;
  }

  /** A place in the log: `since` it come the requests that arrive from now on. */
  mark(): number {
    return this.#next;
  }

  /** Requests from a mark on, oldest first. */
  since(mark: number): readonly LoggedRequest[] {
    let first = this.#entries.length;
    while (first > 0 && (this.#entries[first - 1] as LoggedRequest).sequence >= mark) first--;
    return this.#entries.slice(first);
  }
}
