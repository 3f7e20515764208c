import * as z from 'zod/mini';

/**
 * What the page cache holds of the browser's cache before a timed read. `cold`: nothing, neither data nor metadata.
 * `file-cold`: no data; inodes and directories stay in memory. `warm`: all data.
 */
export const pageCacheStates = ['cold', 'file-cold', 'warm'] as const;
export type PageCacheState = (typeof pageCacheStates)[number];

/** For people, as the condition of a read. */
export const pageCacheStateWords: Readonly<Record<PageCacheState, string>> = {
  cold: 'page cache dropped',
  'file-cold': 'file data dropped, metadata in memory',
  warm: 'page cache warm',
};

/** How much of the files of the browser's cache lay in the page cache, as the kernel says (mincore(2)), pages. */
export const residencySchema = z.object({ residentPages: z.number(), pages: z.number() });
export type Residency = z.infer<typeof residencySchema>;

/** Whether the files were not in the state that was asked for; an unknown residency (null) says nothing. */
export function isOutOfState(state: PageCacheState, residency: Residency | null): boolean {
  if (residency === null || state === 'cold') return false;
  const { residentPages, pages } = residency;
  return state === 'warm' ? residentPages < pages : residentPages > 0;
}
