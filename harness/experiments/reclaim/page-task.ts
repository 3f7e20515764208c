/** One request to send: its due time, ms from that of the first request, and its path. */
export type PageTarget = readonly [dueMs: number, path: string];

/** The result of a page's request. */
export interface PageAnswer {
  /** Number of the request, from 0, in the order of the due times. */
  number: number;
  /** When the last byte of its body arrived, or when it failed, ms from the first request's due time. */
  endMs: number;
  /** HTTP status; 0: no complete response, and `error` has the reason. */
  status: number;
  error: string | null;
  /** Decoded bytes of its body. */
  bodyBytes: number;
  /** Encoded bytes of its body (Content-Length); null: unknown. */
  encodedBytes: number | null;
  /** Whether it came from the cache; null: unknown. */
  fromCache: boolean | null;
}

/** The results of a page for one batch interval of its attack. */
export interface PageBatch {
  /** Number of the first request of this batch. */
  firstNumber: number;
  /** Send times of the requests in order, ms from the due time of the load's first request; null: dropped. */
  sentMs: (number | null)[];
  /** Requests that have ended. */
  answers: PageAnswer[];
  /** End of the batch interval, ms from the first request's due time. */
  elapsedMs: number;
}

/** Messages of the page. */
export type PageMessage =
  | { kind: 'ready' }
  | { kind: 'batch'; batch: PageBatch; isDone: boolean }
  | { kind: 'failed'; reason: string };

/**
 * Orders to the page. `attack` starts the load and `targets` continues it: both have the next requests in due order.
 */
export type PageOrder =
  | { kind: 'attack'; attack: PageAttack; targets: PageTarget[]; isLast: boolean }
  | { kind: 'targets'; targets: PageTarget[]; isLast: boolean }
  /** Send no more requests, and wait for those in flight. */
  | { kind: 'stop' }
  | { kind: 'end' };

/** Parameters of a page's attack. */
export interface PageAttack {
  /** When the first request is due, ms since 1970. */
  startsAt: number;
  /** Origin of the paths: `https://localhost:41234`. */
  baseUrl: string;
  /** Interval at which batches are sent, ms. */
  batchMs: number;
  /** A request without a response this long after the last one was due has failed, ms. */
  answerLimitMs: number;
  /** With this many requests in flight, a due request is dropped. */
  mostInFlight: number;
}
