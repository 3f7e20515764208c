import * as z from 'zod/mini';
import { storageKinds } from '../run/sample.ts';
import { diskCacheBackEnds } from '../run/variant.ts';

/**
  * The cache under load. `origin`: our origin's store of encoded variants, requested from Node. `chromium`: the browser's
  * HTTP cache on a disk, requested from its pages. `chromium-memory`: the same for an off-the-record profile, in memory.
 */
export const reclaimSystems = ['origin', 'chromium', 'chromium-memory'] as const;
export type ReclaimSystemName = (typeof reclaimSystems)[number];

/** In which order the origin's store evicts entries. One file each in origin/store. */
export const reclaimPolicies = ['lrw', 'lru', 's3-fifo'] as const;
export type ReclaimPolicy = (typeof reclaimPolicies)[number];

/** Names of the policies for people. */
export const policyLabels: Readonly<Record<ReclaimPolicy, string>> = {
  lrw: 'least recently written',
  lru: 'least recently used',
  's3-fifo': 'S3-FIFO',
};

/** Every request asks for a new key. */
const cacheBustSchema = z.object({ kind: z.literal('cache-bust') });

/** Keys 1 to `population`, drawn with a probability proportional to key^-skew. */
const zipfSchema = z.object({
  kind: z.literal('zipf'),
  /** Zipf exponent, above 0. */
  skew: z.number(),
  population: z.number(),
  /** The hit rate that the population was chosen for, 0 to 1; null when the population was given. */
  wantedHitRate: z.nullable(z.number()),
});

/** The requests of a log, at their recorded times. */
const replaySchema = z.object({
  kind: z.literal('replay'),
  /** Name of the file, without its folder. */
  file: z.string(),
  format: z.enum(['har', 'common log']),
  /** Speed relative to the recording. */
  speed: z.number(),
  /** Share of the recorded requests that is sent, 0 to 1, drawn with the run's seed. */
  share: z.number(),
  /** Requests that could be used. */
  recorded: z.number(),
  /** Requests that are sent, within the time of the run. */
  planned: z.number(),
  /** Requests of other methods than GET, which no cache answers: not sent. */
  otherMethods: z.number(),
  /** Lines, or HAR entries, that could not be read, or whose recorded size no item of the origin can have. */
  malformed: z.number(),
});

export const reclaimTrafficSchema = z.discriminatedUnion('kind', [
  cacheBustSchema,
  zipfSchema,
  replaySchema,
]);
export type ReclaimTraffic = z.infer<typeof reclaimTrafficSchema>;

/** What only Chromium has. */
const browserPlanSchema = z.object({
  /** null: the one that Chromium takes by itself. */
  backEnd: z.nullable(z.enum(diskCacheBackEnds)),
  storage: z.enum(storageKinds),
  /** Delay of each read of that storage, ms. */
  delayMs: z.number(),
});

export const reclaimPlanSchema = z.object({
  system: z.enum(reclaimSystems),
  /** Requests that are due in a second. Of a replay, on average. */
  rateHz: z.number(),
  /** From the first request that is due to the end of the last one's turn, ms. */
  timeMs: z.number(),
  traffic: reclaimTrafficSchema,
  /** Bytes of each body before content coding; null: as recorded. */
  payloadBytes: z.nullable(z.number()),
  coding: z.enum(['identity', 'gzip']),
  /** What the origin waits before it makes a body that it does not have, ms. */
  originDelayMs: z.number(),
  /** Entries that the cache may hold; null: without limit, or, of Chromium, not to be set. */
  limitEntries: z.nullable(z.number()),
  /** Bytes that the cache may hold: of encoded bodies, or as Chromium counts them (`--disk-cache-size`). */
  limitBytes: z.number(),
  /** Share of the limit that is given up once it is exceeded, 0 to 1; null: the system's own affair. */
  reclaimRatio: z.nullable(z.number()),
  /** null: the system's own affair. */
  policy: z.nullable(z.enum(reclaimPolicies)),
  /** null unless the system is Chromium. */
  browser: z.nullable(browserPlanSchema),
  /** How often the system is looked at, ms. */
  windowMs: z.number(),
  /** Latencies and memory closer than this share are the same. */
  margin: z.number(),
  seed: z.number(),
});
export type ReclaimPlan = z.infer<typeof reclaimPlanSchema>;
