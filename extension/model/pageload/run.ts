import * as z from 'zod/mini';
import { pageArms, type PageLoad, pageLoadSchema, pageStates } from './load.ts';
import { linkedRunFields, linkSchema } from '../network/link.ts';
import { pageSchema } from './page.ts';
import { runBaseSchema } from '../run/base.ts';
import { type RunWith, savedMeasurements } from '../run/measurements.ts';
import { storageKinds } from '../run/sample.ts';
import { settingsSchema } from '../run/variant.ts';

/** The plan of page loads. */
export const pageloadPlanSchema = z.object({
  states: z.array(z.enum(pageStates)),
  arms: z.array(z.enum(pageArms)),
  storage: z.enum(storageKinds),
  /** Read delays of the slow device, ms, rising; empty: ordinary storage. */
  delaysMs: z.array(z.number()),
  /** Loads of each cell, each in new browsers. */
  passes: z.number(),
  /** Wait of the origin before each response, ms; 0: none. */
  serverDelayMs: z.number(),
  /** The emulated link to the origin; absent: loopback. */
  link: z.optional(linkSchema),
  seed: z.number(),
  /** Settings common to every browser of the run; absent: none. */
  settings: z.optional(settingsSchema),
  /** Equivalence margin: SAME where the whole interval of the relative difference is within it. */
  margin: z.number(),
});
export type PageloadPlan = z.infer<typeof pageloadPlanSchema>;

/** Space that the page's responses take in the cache. */
export const storedPageSchema = z.object({
  arm: z.enum(pageArms),
  /** Number of the page's responses with a cache entry. */
  entries: z.number(),
  /** Size of the entries' files, headers included. */
  storedBytes: z.number(),
});

/** run.json of page loads. */
export const pageloadRunSchema = z.extend(runBaseSchema, {
  experiment: z.literal('pageload'),
  ...linkedRunFields,
  plan: pageloadPlanSchema,
  page: pageSchema,
  /** By arm; an absent arm was not measured. */
  stored: z.array(storedPageSchema),
  /** Parts of the page's source that were excluded or generated, in sentences. */
  notes: z.array(z.string()),
});
export type PageloadRun = z.infer<typeof pageloadRunSchema>;

/** Page loads with all measurements. */
export type PageloadRunDocument = RunWith<'pageloads', PageloadRun, PageLoad>;

/** How to read saved page loads. */
export const savedPageload = savedMeasurements({
  lineFile: 'pageloads.ndjson',
  itemName: 'page load',
  items: 'pageloads',
  runSchema: pageloadRunSchema,
  itemSchema: pageLoadSchema,
  idOf: (load) => load.sequence,
});
