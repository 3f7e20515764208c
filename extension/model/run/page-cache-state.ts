import * as z from 'zod/mini';

/**
 * State of the page cache for the files of the browser's cache before a timed read. `cold`: neither data nor metadata
 * in memory. `file-cold`: no data; inodes and directories stay in memory. `warm`: all data in memory.
 */
export const pageCacheStates = ['cold', 'file-cold', 'warm'] as const;
export type PageCacheState = (typeof pageCacheStates)[number];

/** Labels for people, as the condition of a read. */
export const pageCacheStateWords: Readonly<Record<PageCacheState, string>> = {
  cold: 'page cache dropped',
  'file-cold': 'file data dropped, metadata in memory',
  warm: 'page cache warm',
};

/** Pages of the browser's cache files in the page cache, according to the kernel (mincore(2)). */
export const residencySchema = z.object({ residentPages: z.number(), pages: z.number() });
export type Residency = z.infer<typeof residencySchema>;

/** True when the files were not in the requested state. False for `cold`, and when the residency is unknown (null). */
export function isOutOfState(state: PageCacheState, residency: Residency | null): boolean {
  if (residency === null || state === 'cold') return false;
  const { residentPages, pages } = residency;
  return state === 'warm' ? residentPages < pages : residentPages > 0;
}
