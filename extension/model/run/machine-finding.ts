import * as z from 'zod/mini';

/**
 * `ok`: as a measurement wants it; `note`: worth knowing, changes no figure by itself; `warning`: figures may suffer;
 * `refused`: figures would be wrong, or cannot be taken; `unknown`: this machine does not tell.
 */
export const findingStatuses = ['ok', 'note', 'warning', 'refused', 'unknown'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** What one check of a machine found. */
export const machineFindingSchema = z.object({
  /** Stable name of the check, for example `governor`. */
  id: z.string(),
  status: z.enum(findingStatuses),
  /** What was found, a sentence without a full stop. */
  what: z.string(),
  /** Why it matters for a result, a sentence. */
  why: z.string(),
  /** What to do about it, a sentence or a command to type; null where nothing is to be done. */
  todo: z.nullable(z.string()),
  /** The figure behind it, where a later check compares with it; absent otherwise. */
  value: z.optional(z.number()),
});
export type MachineFinding = z.infer<typeof machineFindingSchema>;

/** The machine before and after a run. */
export const machineSchema = z.object({
  before: z.array(machineFindingSchema),
  /** Absent in a run that did not come to its end. */
  after: z.optional(z.array(machineFindingSchema)),
});
export type Machine = z.infer<typeof machineSchema>;
