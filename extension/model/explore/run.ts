import * as z from 'zod/mini';
import { loadSchema } from '../load/load.ts';
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

/** Reads of the device between two looks at its counters: a line of device.ndjson. */
export const deviceSpanSchema = z.object({
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  /** null: unknown, because the device was attached again meanwhile. */
  reads: z.nullable(z.number().check(z.gte(0))),
});
export type DeviceSpan = z.infer<typeof deviceSpanSchema>;

/** An exploration with its loads, in the order of their start. */
export const exploreDocumentSchema = z.object({
  run: exploreRunSchema,
  loads: z.array(loadSchema),
  /** Spans in which the device was read, in order, after one at the start; absent: not recorded. */
  device: z.optional(z.array(deviceSpanSchema)),
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
  beside: {
    lineFile: 'device.ndjson',
    itemName: 'span of device reads',
    itemSchema: deviceSpanSchema,
    idOf: ({ startedAt }) => startedAt,
    repeated: 'first',
    of: ({ device }) => device,
  },
  join: (run, loads, device) => ({
    run,
    loads: loads.toSorted((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt)),
    ...(device && { device }),
  }),
  itemsOf: ({ loads }) => loads,
});
