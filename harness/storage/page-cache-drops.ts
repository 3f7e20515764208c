import { readFile } from 'node:fs/promises';

/**
 * How often somebody has dropped the page cache since the machine started (Linux, /proc/vmstat, drop_pagecache). null where
 * the kernel does not count it.
 */
export async function pageCacheDrops(): Promise<number | null> {
  const text = await readFile('/proc/vmstat', 'utf8').catch(() => '');
  const digits = /^drop_pagecache (\d+)$/m.exec(text)?.[1];
  return digits === undefined ? null : Number(digits);
}
