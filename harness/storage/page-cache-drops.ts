import { readFile } from 'node:fs/promises';

/**
 * Number of times that the page cache, or dentries and inodes, were dropped since boot (Linux, /proc/vmstat,
 * drop_pagecache and drop_slab). null where the kernel does not count it.
 */
export async function pageCacheDrops(): Promise<number | null> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  const counts = [...text.matchAll(/^drop_(?:pagecache|slab) (\d+)$/gm)];
  return counts.length === 0 ? null : counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
