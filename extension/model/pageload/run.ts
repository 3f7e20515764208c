import * as z from 'zod/mini';
import { pageArms, pageLoadSchema, pageStates } from './load.ts';
import { pageSchema } from './page.ts';
import { runBaseSchema } from '../run/base.ts';
import { savedExperiment } from '../run/experiment.ts';
import { storageKinds } from '../run/sample.ts';
import { settingsSchema } from '../run/variant.ts';

export const pageloadPlanSchema = z.object({
  states: z.array(z.enum(pageStates)),
  arms: z.array(z.enum(pageArms)),
  storage: z.enum(storageKinds),
  /** Read delays of the slow device, ms, rising; empty: ordinary storage. */
  delaysMs: z.array(z.number()),
  /** Loads of each cell, each in browsers of its own. */
  passes: z.number(),
  /** Wait of the origin before each answer, ms; 0: none. */
  serverDelayMs: z.number(),
  seed: z.number(),
  /** What every browser of the run has in common; absent: nothing special. */
  settings: z.optional(settingsSchema),
  /** Medians closer than this share are the same. */
  margin: z.number(),
});
export type PageloadPlan = z.infer<typeof pageloadPlanSchema>;

/** What the page's responses occupy in the cache once they are stored. */
export const storedPageSchema = z.object({
  arm: z.enum(pageArms),
  /** Responses of the page that have an entry. */
  entries: z.number(),
  /** Of their files, headers included. */
  storedBytes: z.number(),
});
export type StoredPage = z.infer<typeof storedPageSchema>;

/** run.json of page loads. */
export const pageloadRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('pageload'),
  plan: pageloadPlanSchema,
  page: pageSchema,
  /** By arm; an arm that is absent was not looked at. */
  stored: z.array(storedPageSchema),
  /** What of the page's source was left out or made up, in sentences. */
  notes: z.array(z.string()),
});
export type PageloadRun = z.infer<typeof pageloadRunSchema>;

/** Page loads with all that was measured. */
export const pageloadDocumentSchema = z.object({
  run: pageloadRunSchema,
  pageloads: z.array(pageLoadSchema),
});
export type PageloadRunDocument = z.infer<typeof pageloadDocumentSchema>;

/** How saved page loads are read. */
export const savedPageload = savedExperiment({
  lineFile: 'pageloads.ndjson',
  itemName: 'page load',
  documentSchema: pageloadDocumentSchema,
  runSchema: pageloadRunSchema,
  itemSchema: pageLoadSchema,
  idOf: (load) => load.sequence,
  repeated: 'first',
  join: (run, pageloads) => ({ run, pageloads }),
  itemsOf: ({ pageloads }) => pageloads,
});
