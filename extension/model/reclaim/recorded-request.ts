/** A request as a log tells it. */
export interface RecordedRequest {
  /** ms since the first one of the log. */
  atMs: number;
  /** What names the resource: its path, or its URL. */
  url: string;
  /** Bytes of the answer's body; null when the log does not tell. */
  bytes: number | null;
}

/** A log of requests, read. */
export interface RecordedTraffic {
  format: 'har' | 'common log';
  /** In the order of their times. */
  requests: RecordedRequest[];
  /** Requests of other methods than GET. */
  otherMethods: number;
  /** Lines, or HAR entries, that could not be read. */
  malformed: number;
  /** Which was the first of them, and what is wrong with it; null without any. */
  firstMalformed: string | null;
}
