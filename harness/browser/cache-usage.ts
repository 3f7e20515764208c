import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { SlowDisk } from '../storage/disk.ts';

/** Used bytes of a file system (statfs(2)): answered from memory, without a device read. */
async function usedBytes(directory: string): Promise<number> {
  const { bsize, blocks, bfree } = await statfs(directory);
  return (blocks - bfree) * bsize;
}

async function sizeOfFiles(directory: string): Promise<number> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    // A running browser may have removed it meanwhile.
    files.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => null)),
  );
  return sizes.reduce((sum, file) => sum + (file?.size ?? 0), 0);
}

/**
 * Measures the size of the cache from this call on; call it while the cache is empty. On a slow disk nothing else
 * grows, so its file system's usage is the answer, without device reads. Bytes, V8's code cache included; null when
 * unknown.
 */
export async function cacheUsage(
  disk: SlowDisk,
  cacheDirectory: string,
): Promise<() => Promise<number | null>> {
  if (disk.kind === 'none') return () => sizeOfFiles(cacheDirectory).catch(() => null);
  const emptyBytes = await usedBytes(disk.directory);
  return () =>
    usedBytes(disk.directory).then(
      (bytes) => Math.max(0, bytes - emptyBytes),
      () => null,
    );
}
