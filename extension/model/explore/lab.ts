import * as z from 'zod/mini';
import { storageKinds } from '../run/sample.ts';

/** Access to the lab that runs this browser: the origin of the harness, and the token of this run. */
export const labLinkSchema = z.object({
  /** For example `http://127.0.0.1:41234`. */
  url: z.string(),
  /** Sent as `Authorization: Bearer TOKEN`. */
  token: z.string(),
});
export type LabLink = z.infer<typeof labLinkSchema>;

/** Key of the link in chrome.storage.session, which is cleared when the browser ends. */
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
  /** POST: `LabAnswer`. The browser restarts with nothing in memory; its tabs are restored. */
  relaunch: '/control/lab/relaunch',
  /** POST `Load`: 204 once it is saved to disk. */
  loads: '/control/lab/loads',
  /** GET: `StoredSizes`. */
  stored: '/control/lab/stored',
} as const;

/** Largest read delay that the lab sets, ms. */
export const maxDelayMs = 10_000;

/** The state of the lab of `explore`, as the panel shows it. */
export const labStateSchema = z.object({
  /** Requested read delay of the device, ms; null while it is being changed, and without a slow device. */
  delayMs: z.nullable(z.number()),
  /** Median of direct 4 KiB reads at that delay, ms; null when not measured. */
  measuredDelayMs: z.nullable(z.number()),
  /** `none`: the cache is on ordinary storage, so there is no delay to set. */
  backEnd: z.enum(storageKinds),
  /** A delay changes while the browser runs. Otherwise the browser restarts for it, and its tabs are restored. */
  isLive: z.boolean(),
  /** Bytes that the browser's cache occupies on the device, its index included; null: unknown. */
  cacheBytes: z.nullable(z.number()),
  /** Dropping the page cache needs root, which the harness may lack. */
  canDropPageCache: z.boolean(),
  /** What the lab is doing now, in words; null when it is idle. Another request during this time is refused (409). */
  busyWith: z.nullable(z.string()),
  /** Why the last request failed, in a sentence; null when it succeeded. */
  lastProblem: z.nullable(z.string()),
  /** Loads saved in this run. */
  savedLoads: z.number(),
});
export type LabState = z.infer<typeof labStateSchema>;

/** A request to set the read delay. */
export const delayRequestSchema = z.object({
  /** Whole ms, 0 to 10000. */
  delayMs: z.number().check(z.int(), z.minimum(0), z.maximum(maxDelayMs)),
});
export type DelayRequest = z.infer<typeof delayRequestSchema>;

/**
 * The result of a request. With `willRestart` the answer has status 202 and is sent before the action: the browser is
 * about to close, including the page that sent the request.
 */
export const labAnswerSchema = z.object({ willRestart: z.boolean(), state: labStateSchema });
export type LabAnswer = z.infer<typeof labAnswerSchema>;

/** Why a request was refused. */
export const labRefusalSchema = z.object({ code: z.string(), message: z.string() });

/**
 * Current size of each cache entry's file. An absent URL has no entry, or its size is unknown. The lookup reads the
 * entries' inodes and keys, and so warms them: do not use it between dropping the page cache and a load.
 */
export const storedSizesSchema = z.object({
  entries: z.array(z.object({ url: z.string(), storedBytes: z.number() })),
});
export type StoredSizes = z.infer<typeof storedSizesSchema>;
