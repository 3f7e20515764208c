import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';

/** An early hint that no document used; a second use in one document without a load event of its own. */
const byAll = /^(early-hints-unused|(svg-image|background|poster)-repeated)$/;
const inUrl = /^(data|blob)-url-(fetch|worker)$/;

/** Situations whose use a depth cannot know of, by name; in words: extension/README.md, "What a depth cannot know". */
const unseen: Readonly<Record<EvidenceDepth, readonly RegExp[]>> = {
  page: [
    byAll,
    inUrl,
    /^audio-worklet-/,
    /^page-worker-(import-scripts|fetch|nested)-/,
    /^shared-worker-/,
    /-at-pagehide$/,
    /^(open-media|web-socket|registered-script)$/,
  ],
  webRequest: [byAll, inUrl, /^audio-worklet-(blocked|worker)/, /^web-socket$/],
  devtools: [byAll],
  debugger: [byAll, /^shared-worker-/, /-at-pagehide$/, /^registered-script$/],
};

/** Whether a depth cannot know of the use that a situation judges. */
export function isUnseen(situation: string, depth: EvidenceDepth): boolean {
  return unseen[depth].some((name) => name.test(situation));
}
