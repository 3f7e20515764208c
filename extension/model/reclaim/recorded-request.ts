/** A request of a log. */
export interface RecordedRequest {
  /** ms since the first request of the log. */
  atMs: number;
  /** Path or URL of the resource. */
  url: string;
  /** Bytes of the response body; null when the log does not say. */
  bytes: number | null;
}

/** A parsed log of requests. */
export interface RecordedTraffic {
  format: 'har' | 'common log';
  /** In order of time. */
  requests: RecordedRequest[];
  /** Requests with a method other than GET. */
  otherMethods: number;
  /** Lines, or HAR entries, that could not be read. */
  malformed: number;
  /** Place and problem of the first of them; null when there are none. */
  firstMalformed: string | null;
}
