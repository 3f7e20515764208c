import * as z from 'zod/mini';
import { byteSize, count, digits, percent } from '../quantity.ts';
import { storageKinds } from '../run/sample.ts';
import { diskCacheBackEnds, settingsSchema } from '../run/variant.ts';

/**
 * The cache under load. `origin`: our origin's store of encoded variants, requested from Node. `chromium`: the browser's
 * HTTP cache on a disk, requested from its pages. `chromium-memory`: the same for an off-the-record profile, in memory.
 */
export const reclaimSystems = ['origin', 'chromium', 'chromium-memory'] as const;

/** In which order the origin's store evicts entries. One file each in origin/store. */
export const reclaimPolicies = ['lrw', 'lru', 's3-fifo'] as const;
export type ReclaimPolicy = (typeof reclaimPolicies)[number];

/** Names of the policies for people. */
const policyLabels: Readonly<Record<ReclaimPolicy, string>> = {
  lrw: 'least recently written',
  lru: 'least recently used',
  's3-fifo': 'S3-FIFO',
};

/** Which keys are requested. */
const reclaimTrafficSchema = z.discriminatedUnion('kind', [
  /** Every request asks for a new key. */
  z.object({ kind: z.literal('cache-bust') }),
  /** Keys 1 to `population`, drawn with a probability proportional to key^-skew. */
  z.object({
    kind: z.literal('zipf'),
    /** Zipf exponent, above 0. */
    skew: z.number(),
    population: z.number(),
    /** The hit rate that the population was chosen for, 0 to 1; null when the population was given. */
    wantedHitRate: z.nullable(z.number()),
  }),
  /** The requests of a log, at their recorded times. */
  z.object({
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
    /** Requests with a method other than GET, which are not sent. */
    otherMethods: z.number(),
    /** Lines, or HAR entries, that could not be read, without an HTTP response, or of a size that the origin cannot serve. */
    malformed: z.number(),
  }),
]);

/** The plan of a `reclaim` run. */
export const reclaimPlanSchema = z.object({
  system: z.enum(reclaimSystems),
  /** Requests due per second; for a replay, on average. */
  rateHz: z.number(),
  /** Length of the load, ms: from the first due request to the end of the last request's interval. */
  timeMs: z.number(),
  traffic: reclaimTrafficSchema,
  /** Bytes of each body before content coding; null: as recorded. */
  payloadBytes: z.nullable(z.number()),
  coding: z.enum(['identity', 'gzip']),
  /** Time that the origin waits before it creates a body, ms. */
  originDelayMs: z.number(),
  /** Limit on the number of entries; null: no limit, or Chromium, where it cannot be set. */
  limitEntries: z.nullable(z.number()),
  /** Limit on the size, bytes: of encoded bodies, or as Chromium counts them (`--disk-cache-size`). */
  limitBytes: z.number(),
  /** Share of the limit that one eviction pass frees, 0 to 1; null: decided by the system. */
  reclaimRatio: z.nullable(z.number()),
  /** null: decided by the system. */
  policy: z.nullable(z.enum(reclaimPolicies)),
  /** Settings of Chromium alone; null unless the system is Chromium. */
  browser: z.nullable(
    z.object({
      /** null: Chromium's default. */
      backEnd: z.nullable(z.enum(diskCacheBackEnds)),
      storage: z.enum(storageKinds),
      /** Delay of each device read, ms. */
      delayMs: z.number(),
    }),
  ),
  /** Sampling interval, ms. */
  windowMs: z.number(),
  /** Latencies and memory within this share of each other are called the same. */
  margin: z.number(),
  seed: z.number(),
  /** What every browser of the run has in common; absent: defaults. */
  settings: z.optional(settingsSchema),
});
export type ReclaimPlan = z.infer<typeof reclaimPlanSchema>;

/** The limits of the cache under load, and what it evicts at them. */
export type ReclaimLimits = Pick<
  ReclaimPlan,
  'limitEntries' | 'limitBytes' | 'reclaimRatio' | 'policy'
>;

/** The requested load in a few words: `replay of access.log, 50 % of it`. */
export function trafficWords({ traffic }: Pick<ReclaimPlan, 'traffic'>): string {
  if (traffic.kind === 'cache-bust') return 'every request for a new key';
  if (traffic.kind === 'zipf')
    return `keys 1 to ${count(traffic.population)} by Zipf's law, exponent ${digits(traffic.skew)}`;
  const share = traffic.share === 1 ? '' : `, ${percent(traffic.share)} of it`;
  const speed = traffic.speed === 1 ? '' : `, ${digits(traffic.speed)} times as fast`;
  return `replay of ${traffic.file}${share}${speed}`;
}

/** `36,000 entries and 4 GiB; 30 % is evicted, least recently written first`. */
export function limitWords(limits: ReclaimLimits): string {
  const { limitEntries, limitBytes, reclaimRatio, policy } = limits;
  const entries = limitEntries === null ? '' : `${count(limitEntries)} entries and `;
  const ratio =
    reclaimRatio === null || policy === null
      ? ''
      : `; ${percent(reclaimRatio)} is evicted, ${policyLabels[policy]} first`;
  return `${entries}${byteSize(limitBytes)}${ratio}`;
}
