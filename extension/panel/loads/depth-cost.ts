import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';

/** Description of an evidence depth, and its cost for a cached read. */
export interface DepthCost {
  title: string;
  says: string;
  /** Ratio of the time of a cached read of 1 KB and of 1 MB to that of an unwatched read; null: not measured. */
  smallRead: number | null;
  largeRead: number | null;
  /**
   * Ratio of the processor time that Chromium takes for a page of 1,000 images to that without the extension, and the number
   * of pairs of loads; null: not measured.
   */
  load: { ratio: number; pairs: number } | null;
}

/**
 * The values are those of harness/docs/performance.md, "The cost of watching", the rows of evidence depths. To update
 * both: run `npm run bench -- watching` on an otherwise idle machine, and copy for each depth the ratios of "read of
 * 1 KB" and "read of 1 MB" to the unwatched tab (webRequest: to the tab with the granted permission). null shows "cost not measured": the intervals of the reads at page depth (1.14 [0.90, 1.63] and 1.31
 * [0.98, 1.91]) were too wide to show a value. The page loads are of a busy machine ("a page of 1,000 images").
 */
export const depthCosts: Readonly<Record<EvidenceDepth, DepthCost>> = {
  page: {
    title: 'Page',
    says: 'Resource Timing, and the HAR entries of DevTools while it is open',
    smallRead: null,
    largeRead: null,
    load: { ratio: 1.12, pairs: 6 },
  },
  webRequest: {
    title: 'webRequest',
    says: 'plus chrome.webRequest: distinguishes memory from disk, and sees workers',
    smallRead: 1.3,
    largeRead: 1.64,
    load: { ratio: 1.86, pairs: 6 },
  },
  devtools: {
    title: 'DevTools',
    says: 'the HAR entries of the open DevTools: headers, transferred bytes, caches by name',
    smallRead: null,
    largeRead: null,
    load: null,
  },
  debugger: {
    title: 'Debugger',
    says: 'plus the Network domain, and chrome.webRequest where it is allowed: the most complete evidence. Chromium shows a bar while it is attached',
    smallRead: 1.48,
    largeRead: 1.97,
    load: { ratio: 2.27, pairs: 6 },
  },
};

/** The depths that the user can choose. DevTools' entries are added automatically while DevTools is open. */
export const chosenDepths = ['page', 'webRequest', 'debugger'] as const satisfies EvidenceDepth[];

/** The cost shown beside the switch: `×1.04`, or a range such as `×1.22 to ×1.66` in ascending order. */
export function costRange({ smallRead, largeRead }: DepthCost): string {
  if (smallRead === null || largeRead === null) return 'cost not measured';
  const [least, most] = [smallRead, largeRead].toSorted((one, other) => one - other).map(ratio);
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** The cost in a sentence. */
export function costSentence({ smallRead, largeRead, load }: DepthCost): string {
  const ofLoad =
    load === null
      ? ''
      : ` A page of 1,000 images takes ${ratio(load.ratio)} the processor time without the extension (${load.pairs} pairs of loads on a busy machine).`;
  if (smallRead === null || largeRead === null)
    return `The cost of a cached read was not measured.${ofLoad}`;
  return `A cached read of 1 KB takes ${ratio(smallRead)} the time without watching, one of 1 MB ${ratio(largeRead)}.${ofLoad}`;
}

function ratio(value: number): string {
  return `×${value.toFixed(2)}`;
}
