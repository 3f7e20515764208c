import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';

/** A way to watch a browser: its witnesses. */
export interface Watching {
  /** In words, for tables. */
  title: string;
  /** The requested evidence depth. */
  depth: 'page' | 'webRequest' | 'debugger';
  /** DevTools is open on each tab. */
  hasDevtools?: true;
  witnesses: readonly EvidenceDepth[];
}

/** Every way that the truth table compares, by name. Each has the witnesses of at least one before it, and others. */
export const watchings = {
  page: { title: 'page', depth: 'page', witnesses: ['page'] },
  webRequest: { title: 'webRequest', depth: 'webRequest', witnesses: ['page', 'webRequest'] },
  devtools: {
    title: 'DevTools',
    depth: 'page',
    hasDevtools: true,
    witnesses: ['page', 'devtools'],
  },
  'devtools-and-webRequest': {
    title: 'DevTools and webRequest',
    depth: 'webRequest',
    hasDevtools: true,
    witnesses: ['page', 'webRequest', 'devtools'],
  },
  debugger: { title: 'debugger', depth: 'debugger', witnesses: ['page', 'debugger'] },
  'debugger-and-webRequest': {
    title: 'debugger and webRequest',
    depth: 'debugger',
    witnesses: ['page', 'webRequest', 'debugger'],
  },
} as const satisfies Record<string, Watching>;

export type WatchingName = keyof typeof watchings;

export const watchingNames = Object.keys(watchings) as WatchingName[];

/** Whether this witness watches in that way. */
export function hasWitness(name: WatchingName, witness: EvidenceDepth): boolean {
  const { witnesses }: Watching = watchings[name];
  return witnesses.includes(witness);
}
