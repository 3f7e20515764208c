import { resourceTimingSchema } from '../attribution/resource-timing.ts';
import * as z from 'zod/mini';

/** The page's clock and isolation, as seen from the page's own JavaScript world. */
export const pageDescriptionSchema = z.object({
  crossOriginIsolated: z.boolean(),
  /** Smallest step of performance.now() seen, ms. */
  timerStepMs: z.number(),
});
export type PageDescription = z.infer<typeof pageDescriptionSchema>;

/** One timed read, before it is interpreted. */
export const pageReadingSchema = z.object({
  url: z.string(),
  /** From the call of fetch() until the page has the whole decoded body, ms. */
  readMs: z.number(),
  /** 0 when there was no response. */
  status: z.number(),
  bodyBytes: z.number(),
  /** Lower-case hex SHA-256 of the decoded body, computed after the timer stopped; empty without a complete body. */
  bodySha256: z.string(),
  /** null when the browser delivered no Resource Timing entry for it within 1 s. */
  timing: z.nullable(resourceTimingSchema),
  /** A service worker controls the page. */
  hasServiceWorker: z.boolean(),
  /** Why the fetch or its body failed; absent when the body is complete. */
  failure: z.optional(z.string()),
});
export type PageReading = z.infer<typeof pageReadingSchema>;

/** The answer to a question, or an error. It comes from the page's world, so it is validated before use. */
export const pageAnswerSchema = z.union([
  z.object({ answer: z.unknown() }),
  z.object({ error: z.string() }),
]);
export type PageAnswer = z.infer<typeof pageAnswerSchema>;
