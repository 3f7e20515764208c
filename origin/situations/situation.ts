import type { Answer } from '@cachescope/model/cache-source-answer.ts';
import type { Coding } from '@cachescope/model/coding.ts';

/** What the origin serves under one file name of a situation. */
export interface ServedFile {
  contentType: string;
  body: string;
  /** Default 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Gives it an ETag, and answers 304 to a request that knows it. */
  isConditional?: boolean;
  /** Content coding; dcb and dcz are used when the request names the dictionary, and identity otherwise. */
  coding?: Coding;
  /** File name of the dictionary of dcb and dcz. */
  dictionary?: string;
  /** Its body goes only to requests that name a dictionary; others get an empty one. */
  tellsDictionary?: boolean;
  /** Link header of a 103 response that goes ahead (RFC 8297); over HTTP/2 only. */
  earlyHint?: string;
  /** How long the answer waits, ms, from the 103 response on where there is one. */
  delayMs?: number;
  /** Answers `Range: bytes=FROM-TO` with 206 (RFC 9110 section 14). */
  hasRanges?: boolean;
}

/** One thing that is done to the browser. Each document tells the origin when it has done what it does (`donePath`). */
export type Step =
  | { kind: 'visit'; file: string; inNewTab?: boolean }
  | { kind: 'reload' }
  | { kind: 'wait'; forMs: number }
  /** Close the browser and start it again with the same profile. */
  | { kind: 'relaunch' };

/** Where the judged response really came from, by the way the situation is built. */
export interface Truth {
  answer: Answer;
  /** Content-Encoding of the response; absent: not looked at. */
  coding?: Coding;
  cacheStorageName?: string;
  router?: { matched?: string; actual?: string };
}

/** One way to deliver a response: what is served, what is done, and what is then true. */
export interface Situation {
  name: string;
  files: Readonly<Record<string, ServedFile>>;
  steps: readonly Step[];
  truth: Truth;
  /** File name whose last use, in the last load, is judged; or `data:` or `blob:`. */
  judged: string;
  /** The judged use has no Resource Timing entry of its own. */
  hasNoEntry?: boolean;
  /** File name that the origin's log is asked for, when it is another than the judged: the end of a redirect. */
  target?: string;
  /**
   * Statuses of the requests for the judged file that reach the origin during the last step: the independent witness.
   * Absent where the truth leaves it open.
   */
  atOrigin?: readonly number[];
  /** Served by the secure server, over HTTP/2. */
  isSecure?: boolean;
}

/** Where the files of one playing of a situation lie. Each playing has a path of its own, and so caches of its own. */
export function situationPath(play: string, situation: string, file: string): string {
  return `/situations/${play}/${situation}/${file}`;
}

/** A document asks for this file when it has done what it does. */
export const doneFile = 'done';
