import type { Answer } from '@cachescope/model/attribution/answer.ts';
import type { Coding } from '@cachescope/model/coding.ts';
import type { ValidatorFrom } from '../request-log.ts';

/** What the origin serves under one file name of a situation. */
export interface ServedFile {
  contentType: string;
  body: string;
  /** Default 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Gives it an ETag, and answers 304 to a request that knows it. */
  isConditional?: boolean;
  /** A part of the ETag: another version has another one. */
  version?: string;
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
  /**
   * The answer waits until the origin has answered a request for this file of the same playing, with this status; half of
   * it, where the file waits itself. Without a status: until it was asked for.
   */
  waitsFor?: { file: string; status?: number };
  /** Answers `Range: bytes=FROM-TO` and `bytes=FROM-` with 206 (RFC 9110 section 14), as If-Range allows it. */
  hasRanges?: boolean;
  /** Half of the body is sent at once, and the rest when this file of the same playing has been asked for. */
  restWaitsFor?: string;
  /** What differs from the second request of a playing on. */
  later?: Partial<ServedFile>;
  /** The connection ends after so many bytes of the body; 0: before any answer. Only what asks for no range is cut. */
  cutAfterBytes?: number;
  /** The body does not end before the document has done what it does. */
  staysOpen?: boolean;
  /** Accepts a WebSocket (RFC 6455) and closes it when the page does. */
  isSocket?: boolean;
}

/** One thing that is done to the browser. Each document tells the origin when it has done what it does (`doneFile`). */
export type Step =
  | { kind: 'visit'; file: string; inNewTab?: boolean }
  /** `bypassCache`: what the document loads comes past every cache. */
  | { kind: 'reload'; bypassCache?: true }
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

/** What may come of a situation: what the origin's log then shows, and what is then true. */
export interface Outcome {
  truth: Truth;
  /** The other answer that may be true, where the origin's log looks the same for both. */
  orAnswer?: Answer;
  /** The judged use has no Resource Timing entry of its own. */
  hasNoEntry?: boolean;
  /**
   * Statuses of the requests for the judged file that reach the origin during the last step: the independent witness.
   * Absent where the truth leaves it open.
   */
  atOrigin?: readonly number[];
  /** Who made the last of these requests conditional; absent: not looked at. */
  validatorFrom?: ValidatorFrom;
  /** The judged file was asked for before this one was answered; absent: not looked at. */
  askedBefore?: string;
  /** This file was asked for too; absent: not looked at. */
  alsoAsked?: string;
}

/** One way to deliver a response: what is served, what is done, and what is then true. */
export interface Situation extends Outcome {
  name: string;
  /** What may come about in place of the situation as named, where Chromium is free to choose. The first that fits counts. */
  otherwise?: readonly Outcome[];
  files: Readonly<Record<string, ServedFile>>;
  steps: readonly Step[];
  /** Situations of one scene share files and steps, and are played at once: their uses are independent of each other. */
  scene?: string;
  /** File name whose last use, in the last load, is judged; or `data:` or `blob:`. */
  judged: string;
  /** File name of the document whose load is judged, when it is another than the last. */
  loadOf?: string;
  /** File name that the origin's log is asked for, when it is another than the judged: the end of a redirect. */
  target?: string;
  /** Served by the secure server, over HTTP/2. */
  isSecure?: boolean;
  /** How often the judged load uses the judged file; default 1, and 2 where the judged use has no entry of its own. */
  uses?: number;
  /** Flags of a Chromium that plays only situations with these flags. */
  flags?: readonly string[];
}

/** Where the files of one playing of a situation lie. Each playing has a path of its own, and so caches of its own. */
export function situationPath(play: string, scene: string, file: string): string {
  return `/situations/${play}/${scene}/${file}`;
}

/** Where a situation is played: a scene of its own, unless it names one. */
export function sceneOf({ scene, name }: Situation): string {
  return scene ?? name;
}

/** A document asks for this file when it has done what it does. */
export const doneFile = 'done';
