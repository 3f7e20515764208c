import * as z from 'zod/mini';

/**
 * `ok`: suitable for a measurement; `note`: worth knowing, does not change values by itself; `warning`: values may be
 * affected; `refused`: values would be wrong, or cannot be measured; `unknown`: this machine does not provide the
 * information.
 */
export const findingStatuses = ['ok', 'note', 'warning', 'refused', 'unknown'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

/** The finding of one check of a machine. */
export const machineFindingSchema = z.object({
  /** Stable name of the check, for example `governor`. */
  id: z.string(),
  status: z.enum(findingStatuses),
  /** The finding, a sentence without a full stop. */
  what: z.string(),
  /** Why it matters for a result, a sentence. */
  why: z.string(),
  /** The fix, a sentence or a command to type; null when nothing needs to be done. */
  todo: z.nullable(z.string()),
  /** The value that a later check compares with; absent otherwise. */
  value: z.optional(z.number()),
});
export type MachineFinding = z.infer<typeof machineFindingSchema>;

/** The machine before and after a run. */
export const machineSchema = z.object({
  before: z.array(machineFindingSchema),
  /** Absent in a run that did not finish. */
  after: z.optional(z.array(machineFindingSchema)),
});
export type Machine = z.infer<typeof machineSchema>;
