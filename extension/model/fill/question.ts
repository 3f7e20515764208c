import * as z from 'zod/mini';
import { fillRequestSchema } from './trial.ts';

/** Questions about the browser's HTTP cache, each with readers of one URL that is still arriving. */
export const fillQuestions = [
  /** Many readers at the same moment. */
  'together',
  /** A second reader when half of the body has arrived. */
  'attach',
  /** Readers that start while the origin has not yet answered the first: more than 20 s. */
  'lock-timeout',
  /** A reader of a range while another reader receives the whole. */
  'range-in-whole',
  /** Two readers of one range, neither of the whole. */
  'range-twice',
  /** As `together`, with the cache on a slow disk. */
  'slow-disk',
] as const;
export type FillQuestionName = (typeof fillQuestions)[number];

/** One trial of one question. */
export const fillQuestionSchema = z.object({
  kind: z.literal('question'),
  sequence: z.number(),
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  name: z.enum(fillQuestions),
  askedAt: z.string(),
  /** Time in which the origin sends the body, ms, and its delay before the first byte, ms. */
  fileMs: z.number(),
  headDelayMs: z.number(),
  /** Delay of each device read and write of the cache, ms; 0: ordinary storage. */
  storageDelayMs: z.number(),
  readers: z.array(
    z.extend(fillRequestSchema, {
      /** Requested range; absent: the whole. */
      range: z.optional(z.string()),
    }),
  ),
  /** Requests at the origin: arrival in ms after the first, and range. */
  origin: z.array(z.object({ atMs: z.number(), status: z.nullable(z.number()) })),
});
export type FillQuestion = z.infer<typeof fillQuestionSchema>;
