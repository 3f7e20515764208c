import type { WatchingName } from './watching.ts';

/** An early hint that no document used; a second use in one document without a load event of its own. */
const byAll = /^(early-hints-unused|(svg-image|background|poster)-repeated)$/;
const inUrl = /^(data|blob)-url-(fetch|worker)$/;
/** Shared workers, registrations and what is sent while the page is left. */
const besidePage = [/^shared-worker-/, /-at-pagehide$/, /^registered-script$/];

/** Situations whose use this way to watch cannot see, by name; in words: extension/README.md, "Limits of each depth". */
const unseen: Readonly<Record<WatchingName, readonly RegExp[]>> = {
  page: [
    byAll,
    inUrl,
    ...besidePage,
    /^audio-worklet-/,
    /^page-worker-(import-scripts|fetch|nested)-/,
    /^(open-media|web-socket)$/,
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
