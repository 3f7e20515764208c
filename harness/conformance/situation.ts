import type { Settings } from '@cachescope/model/run/variant.ts';

/** The bodies of the origin: 1 MB of text, 300 kB that do not compress, 900 bytes, no byte. */
export const bodyBytes = { text: 1_000_000, noise: 300_000, small: 900, empty: 0 } as const;
export type BodyName = keyof typeof bodyBytes;

/** Number of parts in which a slow body is sent. */
export const parts = 10;

/** A time relative to the answer, as an HTTP date: seconds from now. `zone` stands in place of `GMT`. */
export interface RelativeTime {
  inS: number;
  zone?: string;
}
/** A header field of an answer. */
export type Field = readonly [name: string, value: string | RelativeTime];

/** How the origin answers every request for one file of a situation. */
export interface Answer {
  /** Default `text`. */
  body?: BodyName;
  /** Content coding where the client advertises the dictionary; default dcz. */
  coding?: 'dcb' | 'dcz';
  /** Default 200. */
  status?: number;
  /** Default `max-age=86400`. */
  cacheControl?: string;
  /** Further header fields. They replace those that the origin sends by default. */
  fields?: readonly Field[];
  /** Only `fields` are sent, with what lets a page read them: no Cache-Control, Date, ETag or Vary. */
  isBare?: true;
  /** Names of default fields that are not sent. */
  without?: readonly string[];
  /** File of the situation to which it redirects. */
  location?: string;
  /** Pages of any site may read it with credentials. */
  allowsCredentials?: true;
  /** Every answer has another body and another ETag, so that none is 304. */
  changes?: true;
  /** Further header fields of a 304. */
  on304?: readonly Field[];
  /** Ignores Range: answers with the whole body. */
  isWhole?: true;
  /** Sent in parts. The first answer ends its connection after some parts, or holds the rest back for ever. */
  slow?: { diesAfter?: number; holdsAfter?: number };
}

export type CacheMode = 'no-cache' | 'reload' | 'no-store' | 'force-cache' | 'only-if-cached';
export type Credentials = 'omit' | 'include';

/** The parameters of `fetch()` that situations use. */
export interface FetchInit {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  cache?: CacheMode;
  mode?: 'same-origin' | 'cors' | 'no-cors';
  credentials?: Credentials;
  redirect?: 'manual' | 'error';
  keepalive?: true;
}

/** One read of a file, and what must be true of it whatever the browser: its body has the bytes of the answer (SHA-256). */
export interface Read {
  /** Default `fetch`. `script`: an element; `add`: `Cache.add()`; `match`: `caches.match()`. */
  by?: 'fetch' | 'script' | 'add' | 'match';
  /** Default `resource`. */
  file?: string;
  /** The file whose answer the page receives: the end of a redirect. Default `file`. */
  ends?: string;
  /** The page that reads; default `main`. */
  page?: string;
  /** The URL names the origin by its other site. */
  elsewhere?: true;
  init?: FetchInit;
  /** The page names a hash of the body, which the browser checks (Subresource Integrity), or that of another body. */
  integrity?: 'right' | 'wrong';
  /** The page aborts after this many decoded bytes. */
  abortAfterBytes?: number;
  /**
   * `ask`: the origin must be asked, because what is stored is stale or another response. `fail`: the page must not get the
   * body. Absent: it must get the body, stored or not.
   */
  must?: 'ask' | 'fail';
  /** The read may fail: its origin ends the connection, or nothing is stored. */
  mayFail?: true;
}

/** A page from which situations read. */
export interface PageKind {
  /** Its site is the origin's other site. */
  elsewhere?: true;
  /** In a private window. */
  isPrivate?: true;
  /** Header fields of the document: a policy. */
  fields?: readonly Field[];
}

/** One thing that is done to the browser. */
export type Step =
  | { kind: 'read'; read: Read }
  /** Of the bodies alone is an account given: which reader asks the origin is free. */
  | { kind: 'read at once'; reads: readonly Read[] }
  | { kind: 'reload'; page: string }
  /** Registers a service worker that passes requests through. */
  | { kind: 'register worker' }
  /** Waits until the origin has been asked this often for the file `resource`. */
  | { kind: 'await requests'; count: number }
  /** Closes the browser gracefully and starts it again; `otherSide`: with the settings of the other side. */
  | { kind: 'restart'; otherSide?: true }
  /** Kills the browser when the origin has sent so many parts of a read, and starts it again. */
  | { kind: 'kill'; read: Read; afterParts: number };

/** What an origin answers, what pages do, and what must be true of it in every browser. */
export interface Situation {
  /** Unique. */
  name: string;
  topic: string;
  /** Answers by file name. */
  files: Readonly<Record<string, Answer>>;
  /** Pages besides `main`, which has the origin's site. */
  pages?: Readonly<Record<string, PageKind>>;
  steps: readonly Step[];
  /** Header fields that the page reports of each read. */
  shows?: readonly string[];
  /** Settings of the browser, in place of those of the sides. */
  settings?: Pick<Settings, 'diskCache' | 'cacheBytes'>;
  /** Its browser plays no other situation. */
  isAlone?: true;
  /** The cache is too small for the responses. Which it evicts depends on their size: only the bodies are compared. */
  isCrowded?: true;
  /** Another situation stands for it in a quick run. */
  isDetail?: true;
}

/** Reads, one after another, of one page. */
export const reads = (...all: readonly Read[]): Step[] =>
  all.map((read) => ({ kind: 'read', read }));

/** A situation with one file. */
export const ofOneFile = (
  name: string,
  resource: Answer,
  steps: readonly Step[],
  more: Partial<Situation> = {},
): Omit<Situation, 'topic'> => ({ name, files: { resource }, steps, ...more });

/** The same topic for several situations. */
export const topic = (name: string, all: readonly Omit<Situation, 'topic'>[]): Situation[] =>
  all.map((each) => ({ ...each, topic: name }));

/** Header fields as they are sent now. */
export function fieldsAt(fields: readonly Field[], nowMs: number): [name: string, value: string][] {
  return fields.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : httpDate(value, nowMs),
  ]);
}

function httpDate({ inS, zone = 'GMT' }: RelativeTime, nowMs: number): string {
  return new Date(nowMs + inS * 1000).toUTCString().replace('GMT', zone);
}
