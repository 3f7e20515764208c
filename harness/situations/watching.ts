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

/**
 * An early hint that no document used; a second use in one document without a load event of its own; a style sheet or a
 * module that a Link header preloads, whose entry looks like that of its element; what takes a preload and is no element.
 */
const byAll =
  /^(early-hints-unused|(svg-image|background|poster)-repeated|new-image-then-element|style-in-two-shadow-roots|preload-by-header-(style|module)|(preload-then-fetch|modulepreload-then-import))$/;
const inUrl = /^(data|blob)-url-(fetch|worker|import|font|background)$/;
/** Shared workers, registrations and what is sent later or while the page is left. */
const besidePage = [
  /^shared-worker-/,
  /-at-pagehide$/,
  /^registered-/,
  /^fetch-later-/,
  /^download$/,
];

/** Situations whose use this way to watch cannot see, by name; in words: extension/README.md, "Limits of each depth". */
const unseen: Readonly<Record<WatchingName, readonly RegExp[]>> = {
  page: [
    byAll,
    inUrl,
    ...besidePage,
    /^audio-worklet-/,
    /^page-worker-(import-scripts|fetch|nested)-/,
    /^(open-media|web-socket|navigation-without-content)$/,
    /^speculation-request/,
  ],
  webRequest: [byAll, inUrl, /^audio-worklet-(blocked|worker)/, /^web-socket$/],
  devtools: [byAll, ...besidePage, /^open-media$/],
  'devtools-and-webRequest': [byAll],
  debugger: [byAll, ...besidePage],
  'debugger-and-webRequest': [byAll],
};

/** Whether the use that a situation judges cannot be seen in this way. */
export function isUnseen(situation: string, watching: WatchingName): boolean {
  return unseen[watching].some((name) => name.test(situation));
}
