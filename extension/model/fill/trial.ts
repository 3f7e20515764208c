import * as z from 'zod/mini';
import { fillSystems } from './plan.ts';

/** Why a request is kept but left out of the figures. */
export const fillFlags = [
  /** Bytes came that are not those of its seed. */
  'wrong-body',
  /** The body ended early. */
  'cut-off',
  /** The status was neither 200 nor 206. */
  'wrong-status',
  /** No answer came, or the connection broke. */
  'failed',
] as const;
export type FillFlag = (typeof fillFlags)[number];

/** One request of a reader. Times in ms. */
export const fillRequestSchema = z.object({
  worker: z.number(),
  /** Number of the file; every reader asks for file 0, 1, 2 and so on. */
  file: z.number(),
  /** Since the trial began. */
  startMs: z.number(),
  /** From the start of the request to the first bytes of the body; null when none came. */
  firstByteMs: z.nullable(z.number()),
  /** From the start of the request to its end. */
  durationMs: z.number(),
  /** Of the body, as they came. */
  bytes: z.number(),
  /** Each chunk's size times its time since the request began, summed, over the bytes; null without bytes. */
  byteWaitMs: z.nullable(z.number()),
  /** What the cache says of itself, for example `HIT` or `fwd=miss; collapsed`; absent when it says nothing. */
  cacheStatus: z.optional(z.string()),
  /** Absent: the body is whole, and right. */
  flag: z.optional(z.enum(fillFlags)),
});
export type FillRequest = z.infer<typeof fillRequestSchema>;

/** One system under one suite, once. */
export const fillTrialSchema = z.object({
  kind: z.literal('trial'),
  sequence: z.number(),
  round: z.number(),
  suite: z.string(),
  system: z.enum(fillSystems),
  startedAt: z.string(),
  /** Pages, frames, tabs or workers that the readers share; null outside a browser. */
  contexts: z.nullable(z.number()),
  requests: z.array(fillRequestSchema),
  /** From the first request to the end of the last, as the readers saw it, ms. */
  clientMs: z.number(),
  /** What reached the origin; `bytes` is null when it could not be counted. */
  origin: z.object({
    requests: z.number(),
    bytes: z.nullable(z.number()),
    /** From the first request's arrival to the last one's end, ms; 0 without requests. */
    durationMs: z.number(),
  }),
  /** Share of the time that each one's event loop was busy, 0 to 1; null when it is not ours to know. */
  busy: z.object({
    client: z.nullable(z.number()),
    cache: z.nullable(z.number()),
    origin: z.nullable(z.number()),
  }),
  /** True when an interrupt or a failure ended it before its time: in no figure. */
  cutShort: z.boolean(),
});
export type FillTrial = z.infer<typeof fillTrialSchema>;

/** Requests that the figures are made of. */
export function soundRequests({ requests }: FillTrial): FillRequest[] {
  return requests.filter(({ flag }) => flag === undefined);
}
