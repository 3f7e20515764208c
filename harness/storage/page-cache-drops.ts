import { readFile } from 'node:fs/promises';

/**
 * How often somebody has dropped the page cache, or dentries and inodes, since the machine started (Linux, /proc/vmstat,
 * drop_pagecache and drop_slab). null where the kernel does not count it.
 */
export async function pageCacheDrops(): Promise<number | null> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  const counts = [...text.matchAll(/^drop_(?:pagecache|slab) (\d+)$/gm)];
  return counts.length === 0 ? null : counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
