import * as z from 'zod/mini';
import { storageKinds } from '../run/sample.ts';

/** Where the lab that the browser runs in is controlled from: the origin of the harness, and the token of this run. */
export const labLinkSchema = z.object({
  /** For example `http://127.0.0.1:41234`. */
  url: z.string(),
  /** Sent as `Authorization: Bearer TOKEN`. */
  token: z.string(),
});
export type LabLink = z.infer<typeof labLinkSchema>;

/** Where the link lies in chrome.storage.session, and so is gone when the browser ends. */
export const labLinkKey = 'lab';

/** The routes of a lab, below its URL. */
export const labPaths = {
  /** GET: `LabState`. */
  state: '/control/lab',
  /** POST `DelayRequest`: `LabAnswer`. */
  delay: '/control/lab/delay',
  /** POST: `LabAnswer`. */
  dropPageCache: '/control/lab/drop-page-cache',
  /** POST: `LabAnswer`. */
  clearHttpCache: '/control/lab/clear-http-cache',
  /** POST: `LabAnswer`. The browser restarts with nothing in memory; its tabs come back. */
  relaunch: '/control/lab/relaunch',
  /** POST `Load`: 204 once it is on the disk. */
  loads: '/control/lab/loads',
  /** GET: `StoredSizes`. */
  stored: '/control/lab/stored',
} as const;

/** Largest read delay that the lab sets, ms. */
export const maxDelayMs = 10_000;

export const labStateSchema = z.object({
  /** Read delay that the device was told, ms; null while it is being changed, and without a slow device. */
  delayMs: z.nullable(z.number()),
  /** Median of direct 4 KiB reads at that delay, ms; null when not measured. */
  measuredDelayMs: z.nullable(z.number()),
  /** `none`: the cache lies on ordinary storage, so there is no delay to set. */
  backEnd: z.enum(storageKinds),
  /** A delay changes under the running browser. Else the browser restarts for it, and its tabs come back. */
  isLive: z.boolean(),
  /** Bytes that the browser's cache occupies on the device, its index included; null when not known. */
  cacheBytes: z.nullable(z.number()),
  /** Dropping the page cache needs root, which the harness may lack. */
  canDropPageCache: z.boolean(),
  /** What the lab is doing now, in words; null when it waits. A second request meanwhile is refused (409). */
  busyWith: z.nullable(z.string()),
  /** Why the last request failed, in a sentence; null when it did not. */
  lastProblem: z.nullable(z.string()),
  /** Loads saved in this run. */
  savedLoads: z.number(),
});
export type LabState = z.infer<typeof labStateSchema>;

export const delayRequestSchema = z.object({
  /** Whole ms, 0 to 10000. */
  delayMs: z.number().check(z.int(), z.minimum(0), z.maximum(maxDelayMs)),
});
export type DelayRequest = z.infer<typeof delayRequestSchema>;

/**
 * What becomes of a request. With `willRestart` the answer is status 202 and comes before the deed: the browser is about
 * to close, with whoever asked in it.
 */
export const labAnswerSchema = z.object({ willRestart: z.boolean(), state: labStateSchema });
export type LabAnswer = z.infer<typeof labAnswerSchema>;

/** Why a request was refused. */
export const labRefusalSchema = z.object({ code: z.string(), message: z.string() });
export type LabRefusal = z.infer<typeof labRefusalSchema>;

/**
 * Size of each cache entry's file now. A URL that is absent has no entry, or its size is not known. Looking reads the
 * entries' inodes and keys, and so warms them: not between dropping the page cache and a load.
 */
export const storedSizesSchema = z.object({
  entries: z.array(z.object({ url: z.string(), storedBytes: z.number() })),
});
export type StoredSizes = z.infer<typeof storedSizesSchema>;
