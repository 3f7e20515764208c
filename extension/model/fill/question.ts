import * as z from 'zod/mini';
import { fillRequestSchema } from './trial.ts';

/** What is asked of the browser's HTTP cache, each by readers of one URL that is still arriving. */
export const fillQuestions = [
  /** Many readers at the same moment. */
  'together',
  /** A second reader when half of the body has arrived. */
  'attach',
  /** Readers that ask while the origin has not yet answered the first: more than 20 s. */
  'lock-timeout',
  /** A reader of a range inside what another is reading whole. */
  'range-in-whole',
  /** Two readers of one range, neither of the whole. */
  'range-twice',
  /** As `together`, with the cache on a slow disk. */
  'slow-disk',
] as const;
export type FillQuestionName = (typeof fillQuestions)[number];

/** One question, once. */
export const fillQuestionSchema = z.object({
  kind: z.literal('question'),
  sequence: z.number(),
  name: z.enum(fillQuestions),
  askedAt: z.string(),
  /** How long the origin takes to send the body, ms, and how long before it begins. */
  fileMs: z.number(),
  headDelayMs: z.number(),
  /** Delay of each read and write of the cache's disk, ms; 0: ordinary storage. */
  storageDelayMs: z.number(),
  readers: z.array(
    z.extend(fillRequestSchema, {
      /** What it asked for; absent: the whole. */
      range: z.optional(z.string()),
    }),
  ),
  /** What reached the origin: when, ms after the first of them, and which range. */
  origin: z.array(z.object({ atMs: z.number(), status: z.nullable(z.number()) })),
});
export type FillQuestion = z.infer<typeof fillQuestionSchema>;
