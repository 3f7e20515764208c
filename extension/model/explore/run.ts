import * as z from 'zod/mini';
import { type Load, loadSchema } from '../load/load.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { storageKinds } from '../run/sample.ts';

/** A manual action on the lab and its time: between `startedAt` and `endedAt` the state is uncertain. */
export const labActionSchema = z.object({
  kind: z.enum(['delay', 'drop-page-cache', 'clear-http-cache', 'relaunch']),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** The read delay from `endedAt` on, ms; only for kind `delay`. null: the change failed, and the delay is unknown. */
  delayMs: z.optional(z.nullable(z.number())),
  /** Why it failed; absent when it did not. */
  problem: z.optional(z.string()),
});
export type LabAction = z.infer<typeof labActionSchema>;

/** run.json of an exploration by hand. */
export const exploreRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('explore'),
  plan: z.object({
    storage: z.enum(storageKinds),
    delayWrites: z.boolean(),
    /** Read delay at the start, ms; null without a slow device. */
    delayMs: z.nullable(z.number()),
    /** The page that was opened first. */
    url: z.string(),
    /** The browser could contact other machines; absent: it could not. */
    external: z.optional(z.boolean()),
    workloads: z.array(z.string()),
  }),
  /** In order of execution. */
  actions: z.array(labActionSchema),
});
export type ExploreRun = z.infer<typeof exploreRunSchema>;

/** An exploration with its loads, in the order of their start. */
export const exploreDocumentSchema = z.object({
  run: exploreRunSchema,
  loads: z.array(loadSchema),
});
export type ExploreRunDocument = z.infer<typeof exploreDocumentSchema>;

/** How a saved exploration is read. */
export const savedExplore = savedExperiment({
  lineFile: 'loads.ndjson',
  itemName: 'load',
  documentSchema: exploreDocumentSchema,
  runSchema: exploreRunSchema,
  itemSchema: loadSchema,
  idOf: (load) => load.id,
  // A load is saved again when more of it is known.
  repeated: 'last',
  join: (run, loads) => ({
    run,
    loads: loads.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
  }),
  itemsOf: ({ loads }) => loads,
});

/**
 * The requested read delay when a load began, ms. null: there is no slow device, the delay was being changed, it is
 * unknown after a failed change, or the start of the load is unknown.
 */
export function delayOfLoad(run: ExploreRun, load: Pick<Load, 'startedAt'>): number | null {
  const beganAt = Date.parse(load.startedAt);
  if (Number.isNaN(beganAt)) return null;
  let delayMs = run.plan.delayMs;
  for (const action of run.actions) {
    if (action.kind !== 'delay' || beganAt < Date.parse(action.startedAt)) continue;
    delayMs = beganAt < Date.parse(action.endedAt) ? null : (action.delayMs ?? null);
  }
  return delayMs;
}
