/** One request to be sent: when it is due, ms from the first one, and for what. */
export type PageTarget = readonly [dueMs: number, path: string];

/** How a page's request ended. */
export interface PageAnswer {
  /** Number of the request, from 0, in the order of the due times. */
  number: number;
  /** When the last byte of its body came, or when it failed, ms from the first request's due time. */
  endMs: number;
  /** HTTP status; 0: no whole answer, and `error` says why. */
  status: number;
  error: string | null;
  /** Decoded bytes of its body. */
  bodyBytes: number;
  /** Bytes of its body as it was sent (Content-Length); null when it does not tell. */
  encodedBytes: number | null;
  /** Whether it came out of the cache; null: the answer does not tell. */
  fromCache: boolean | null;
}

/** What a page hands over about a stretch of its attack. */
export interface PageBatch {
  /** Number of the first request of this batch. */
  firstNumber: number;
  /** When requests were sent, one after another from the first, ms from the first one's due time; null: dropped. */
  sentMs: (number | null)[];
  /** Requests that have ended. */
  answers: PageAnswer[];
  /** End of the stretch, ms from the first request's due time. */
  elapsedMs: number;
}

/** What the page says. */
export type PageMessage =
  | { kind: 'ready'; timerStepMs: number; crossOriginIsolated: boolean }
  | { kind: 'batch'; batch: PageBatch; isDone: boolean }
  | { kind: 'failed'; reason: string };

/** What the page is told. `attack` begins, `targets` goes on: each holds the next requests in due order. */
export type PageOrder =
  | { kind: 'attack'; attack: PageAttack; targets: PageTarget[]; isLast: boolean }
  | { kind: 'targets'; targets: PageTarget[]; isLast: boolean }
  /** No more requests: what is under way is waited for. */
  | { kind: 'stop' }
  | { kind: 'end' };

/** How a page attacks. */
export interface PageAttack {
  /** When the first request is due, ms since 1970. */
  startsAt: number;
  /** Origin of the paths: `https://localhost:41234`. */
  baseUrl: string;
  /** How often answers are handed over, ms. */
  batchMs: number;
  /** A request that has no answer so long after the last one was due has failed, ms. */
  answerLimitMs: number;
  /** With so many requests under way, one that is due is dropped. */
  mostInFlight: number;
}
