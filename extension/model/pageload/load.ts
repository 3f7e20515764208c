import * as z from 'zod/mini';
import { greatest } from '../extremes.ts';
import { cellKeyOf } from '../run/cell.ts';
import { unflagged } from '../run/flags.ts';
import { deviceCountsSchema, storageKinds } from '../run/sample.ts';

/**
 * State of the cache before a load. `empty`: no resource of the page is in the cache; `warm`: a second load in the same
 * browser, in a new tab; `relaunched`: the browser was closed and started again; `cold`: as `relaunched`, with the page
 * cache dropped just before.
 */
export const pageStates = ['empty', 'warm', 'relaunched', 'cold'] as const;
export type PageState = (typeof pageStates)[number];

/**
 * Delivery of scripts and stylesheets when they were stored. `plain`: in their own content coding; `dictionary`: as
 * dcb, with their older version as the dictionary (RFC 9842).
 */
export const pageArms = ['plain', 'dictionary'] as const;
export type PageArm = (typeof pageArms)[number];

/** Why a load is kept but excluded from the statistics. */
const pageFlags = [
  /** A resource did not arrive, or not completely. */
  'not-loaded',
  /** Load from an empty cache: the origin's log does not show each resource exactly once. */
  'not-fetched-once',
  /** A resource that the cache may serve without validation was requested again. */
  'origin-touched',
  /** The extension's source and the origin's log contradict each other. */
  'sources-disagree',
  /** A script or stylesheet that should be delivered as dcb was not. */
  'no-dictionary',
  /**
   * Another program dropped the page cache after the cache was populated: the load is less warm than its state says.
   */
  'page-cache-dropped',
  /** Nothing was read from the device although the page cache was dropped. */
  'device-silent',
  /** A process of the browser, the harness, the storage or the machine did not run during the load. */
  'suspended',
  /** The emulated link was not as set, before or after. */
  'link-off',
] as const;
export type PageFlag = (typeof pageFlags)[number];

/** The meaning of each flag. */
export const pageFlagNotes: Readonly<Record<PageFlag, string>> = {
  'not-loaded': 'a resource did not arrive completely',
  'not-fetched-once': 'the origin did not see each resource once',
  'origin-touched': 'the origin received a request for a resource that the cache may serve',
  'sources-disagree': 'the extension and the origin’s log contradict each other',
  'no-dictionary': 'a resource did not arrive as dcb',
  'page-cache-dropped': 'another program dropped the page cache',
  'device-silent': 'the device was not read',
  suspended: 'a process or the machine was suspended',
  'link-off': 'the emulated link was not as set',
};

/** One combination of factor levels. */
export const pageCellSchema = z.object({
  state: z.enum(pageStates),
  arm: z.enum(pageArms),
  storage: z.enum(storageKinds),
  /** Requested read delay of the device, ms; 0 on ordinary storage. */
  delayMs: z.number(),
});
export type PageCell = z.infer<typeof pageCellSchema>;

/** One resource in one load. Times in ms since the start of the load; null: unknown. */
export const resourceRowSchema = z.object({
  /** Index in the page. */
  place: z.int(),
  /** Cache source, from the extension; null: the page did not see the resource. */
  source: z.nullable(z.string()),
  startMs: z.nullable(z.number()),
  /** Time of the first byte. */
  responseStartMs: z.nullable(z.number()),
  endMs: z.nullable(z.number()),
  /** Size of the decoded body in the page. */
  bodyBytes: z.nullable(z.number()),
  /** Number of requests for it in the origin's log. */
  requests: z.number(),
  /** Body bytes that the origin sent for it; null while one of its requests is unanswered. */
  sentBytes: z.nullable(z.number()),
  /** Content coding of the body that the origin sent (`identity`: none); null when it sent no body. */
  coding: z.nullable(z.string()),
});
export type ResourceRow = z.infer<typeof resourceRowSchema>;

/** One load of the page: a line of pageloads.ndjson. */
export const pageLoadSchema = z.object({
  /** Position in the run, from 0, in order of measurement. */
  sequence: z.number(),
  cell: pageCellSchema,
  /** Number of the browser launch, from 0. */
  launch: z.number(),
  /** The machine that measured it, in a run merged from shards (run/shard.ts); absent otherwise. */
  machine: z.optional(z.string()),
  /** Number of its pass over all cells, from 0. */
  pass: z.number(),
  /** ISO 8601, UTC. */
  takenAt: z.string(),
  /** Time of the page's load event, by the page's clock, ms; null: there was none. */
  loadMs: z.nullable(z.number()),
  domContentLoadedMs: z.nullable(z.number()),
  /** Time at which the last resource was complete, ms; null when one was not. */
  finishMs: z.nullable(z.number()),
  rows: z.array(resourceRowSchema),
  /** Requests at the origin, for the page's resources and anything else. */
  originRequests: z.number(),
  /** Counters of the device during the load; null: unknown. */
  device: z.nullable(deviceCountsSchema),
  /** Empty when the witnesses agree. */
  flags: z.array(z.enum(pageFlags)),
});
export type PageLoad = z.infer<typeof pageLoadSchema>;

export const pageCellKey = cellKeyOf(pageCellSchema);

/** The loads that statistics may use. */
export function usableLoads(loads: readonly PageLoad[]): PageLoad[] {
  return unflagged(loads).filter(({ loadMs }) => loadMs !== null);
}

/** Labels of the states, for tables and charts. */
export const pageStateLabels: Readonly<Record<PageState, string>> = {
  empty: 'Empty cache',
  warm: 'Warm',
  relaunched: 'Relaunched',
  cold: 'Relaunched, cold',
};

/** Labels of the arms, for tables and charts. */
export const pageArmLabels: Readonly<Record<PageArm, string>> = {
  plain: 'Plain',
  dictionary: 'With dictionaries',
};

/** The name of a cell without its delay, for tables and charts: `Warm, with dictionaries`. */
export function pageCellName({ state, arm }: PageCell): string {
  return `${pageStateLabels[state]}, ${pageArmLabels[arm].toLowerCase()}`;
}

/** When the last thing of a load happened that has a time, ms; at least 1, for the end of an axis. */
export function lastMoment({ rows, loadMs }: PageLoad): number {
  return Math.max(1, loadMs ?? 0, greatest(rows.map(({ endMs }) => endMs ?? 0)));
}
