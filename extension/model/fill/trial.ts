import * as z from 'zod/mini';
import { fillSystems } from './plan.ts';

/** Why a request is flagged: kept, and excluded from the statistics. */
const fillFlags = [
  /** The bytes are not those of its seed. */
  'wrong-body',
  /** The body ended early. */
  'cut-off',
  /** The status was neither 200 nor 206. */
  'wrong-status',
  /** There was no answer, or the connection broke. */
  'failed',
] as const;
export type FillFlag = (typeof fillFlags)[number];

/** One request of a reader. Times in ms. */
export const fillRequestSchema = z.object({
  worker: z.number(),
  /** Number of the file; every reader requests file 0, 1, 2 and so on. */
  file: z.number(),
  /** Since the trial began. */
  startMs: z.number(),
  /** From the start of the request to the first bytes of the body; null when there were none. */
  firstByteMs: z.nullable(z.number()),
  /** From the start of the request to its end. */
  durationMs: z.number(),
  /** Bytes of the body received. */
  bytes: z.number(),
  /** Sum of each chunk's bytes times its arrival since the start of the request, divided by all bytes; null without bytes. */
  byteWaitMs: z.nullable(z.number()),
  /** The cache's own statement, for example `HIT` or `fwd=miss; collapsed`; absent when it makes none. */
  cacheStatus: z.optional(z.string()),
  /** Absent: the body is complete and correct. */
  flag: z.optional(z.enum(fillFlags)),
});
export type FillRequest = z.infer<typeof fillRequestSchema>;

/** One trial of one system under one suite. */
export const fillTrialSchema = z.object({
  kind: z.literal('trial'),
  sequence: z.number(),
  round: z.number(),
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  suite: z.string(),
  system: z.enum(fillSystems),
  startedAt: z.string(),
  /** Pages, frames, tabs or workers that the readers share; null outside a browser. */
  contexts: z.nullable(z.number()),
  requests: z.array(fillRequestSchema),
  /** From the first request to the end of the last, measured by the readers, ms. */
  clientMs: z.number(),
  /** Requests at the origin; `bytes` is null when they could not be counted. */
  origin: z.object({
    requests: z.number(),
    bytes: z.nullable(z.number()),
    /** From the first request's arrival to the last one's end, ms; 0 without requests. */
    durationMs: z.number(),
  }),
  /** Utilisation of each event loop, 0 to 1; null when it cannot be measured. */
  busy: z.object({
    client: z.nullable(z.number()),
    cache: z.nullable(z.number()),
    origin: z.nullable(z.number()),
  }),
  /** True when an interrupt or a failure ended it early: excluded from the statistics. */
  cutShort: z.boolean(),
  /** True when a process or the machine did not run for a while: excluded from the statistics. Absent: all ran. */
  suspended: z.optional(z.boolean()),
  /** True when the emulated link was not as set, before or after: excluded from the statistics. Absent: it was, or there is none. */
  linkOff: z.optional(z.boolean()),
});
export type FillTrial = z.infer<typeof fillTrialSchema>;

/** Whether a trial counts: nothing ended it early or suspended a part of it, and its link was as set. */
export function isWhole({ cutShort, suspended, linkOff }: FillTrial): boolean {
  return !cutShort && suspended !== true && linkOff !== true;
}

/** Requests that are not flagged. */
export function usableRequests({ requests }: FillTrial): FillRequest[] {
  return requests.filter(({ flag }) => flag === undefined);
}
