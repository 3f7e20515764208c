import * as z from 'zod/mini';
import { deviceCountsSchema, storageKinds } from '../run/sample.ts';

/**
 * What a load meets. `empty`: nothing of the page in the cache; `warm`: a second load in the same browser, in a tab of its
 * own; `relaunched`: the browser was closed and started again; `cold`: the same, with the page cache dropped just before.
 */
export const pageStates = ['empty', 'warm', 'relaunched', 'cold'] as const;
export type PageState = (typeof pageStates)[number];

/**
 * How scripts and stylesheets were delivered when they were stored. `plain`: in their own coding; `dictionary`: as dcb,
 * with their older version as the dictionary (RFC 9842).
 */
export const pageArms = ['plain', 'dictionary'] as const;
export type PageArm = (typeof pageArms)[number];

/** Why a load is kept but left out of the statistics. */
export const pageFlags = [
  /** A resource did not come, or not whole. */
  'not-loaded',
  /** Load of an empty cache: the origin's log does not show each resource exactly once. */
  'not-fetched-once',
  /** A resource that the cache may serve without asking was asked for again. */
  'origin-touched',
  /** The extension's source and the origin's log contradict each other. */
  'sources-disagree',
  /** A script or stylesheet that should have come as dcb did not. */
  'no-dictionary',
  /** Somebody else dropped the page cache since the cache was filled: the load is not as warm as it says. */
  'page-cache-dropped',
  /** Nothing was read from the device although the page cache was dropped. */
  'device-silent',
] as const;
export type PageFlag = (typeof pageFlags)[number];

/** What a flag says of a load, in words. */
export const pageFlagNotes: Readonly<Record<PageFlag, string>> = {
  'not-loaded': 'a resource did not arrive completely',
  'not-fetched-once': 'the origin did not see each resource once',
  'origin-touched': 'the origin was asked for a resource that the cache may serve',
  'sources-disagree': 'the extension and the origin’s log contradict each other',
  'no-dictionary': 'a resource did not arrive as dcb',
  'page-cache-dropped': 'another program dropped the page cache',
  'device-silent': 'the device was not read',
};

/** One combination of factor levels. */
export const pageCellSchema = z.object({
  state: z.enum(pageStates),
  arm: z.enum(pageArms),
  storage: z.enum(storageKinds),
  /** Read delay asked of the device, ms; 0 on ordinary storage. */
  delayMs: z.number(),
});
export type PageCell = z.infer<typeof pageCellSchema>;

/** How one resource came in one load. Times in ms since the load began; null where nobody told. */
export const resourceRowSchema = z.object({
  /** Place in the page. */
  place: z.int(),
  /** Cache source, by the extension; null: the page saw nothing of it. */
  source: z.nullable(z.string()),
  startMs: z.nullable(z.number()),
  /** Until the first byte. */
  responseStartMs: z.nullable(z.number()),
  endMs: z.nullable(z.number()),
  /** As the page got it. */
  bodyBytes: z.nullable(z.number()),
  /** Requests for it in the origin's log. */
  requests: z.number(),
  /** Body bytes that the origin sent for it. */
  sentBytes: z.number(),
  /** Content coding in which the origin sent it; null when it sent no body. */
  coding: z.nullable(z.string()),
});
export type ResourceRow = z.infer<typeof resourceRowSchema>;

/** One load of the page: a line of pageloads.ndjson. */
export const pageLoadSchema = z.object({
  /** Position in the run, from 0, in the order taken. */
  sequence: z.number(),
  cell: pageCellSchema,
  /** Number of the browser launch that took it, from 0. */
  launch: z.number(),
  /** The machine that took it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** Pass over all cells that it belongs to, from 0. */
  pass: z.number(),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Until the page's load event, by its own clock, ms; null: it was not reached. */
  loadMs: z.nullable(z.number()),
  domContentLoadedMs: z.nullable(z.number()),
  /** Until the last resource had come, ms; null when one did not. */
  finishMs: z.nullable(z.number()),
  rows: z.array(resourceRowSchema),
  /** Requests that the origin got, of the page's resources and of anything else. */
  originRequests: z.number(),
  /** What the device did meanwhile; null: unknown. */
  device: z.nullable(deviceCountsSchema),
  /** Empty when the witnesses agree. */
  flags: z.array(z.enum(pageFlags)),
});
export type PageLoad = z.infer<typeof pageLoadSchema>;

/** A text that two cells share exactly when they are the same cell. */
export function pageCellKey({ state, arm, storage, delayMs }: PageCell): string {
  return `${storage}/${delayMs}/${arm}/${state}`;
}

/** The loads that statistics may use. */
export function soundLoads(loads: readonly PageLoad[]): PageLoad[] {
  return loads.filter(({ flags, loadMs }) => flags.length === 0 && loadMs !== null);
}

/** Names of the states, for tables and charts. */
export const pageStateLabels: Readonly<Record<PageState, string>> = {
  empty: 'Empty cache',
  warm: 'Warm',
  relaunched: 'Relaunched',
  cold: 'Relaunched, cold',
};

/** Names of the arms, for tables and charts. */
export const pageArmLabels: Readonly<Record<PageArm, string>> = {
  plain: 'Plain',
  dictionary: 'With dictionaries',
};
