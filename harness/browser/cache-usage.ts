import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { SlowDisk } from '../storage/disk.ts';

/** Bytes that are used on a file system (statfs(2)): told from memory, without asking the device. */
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
 * How much the cache occupies, from now on; call it while the cache is empty. A slow disk holds nothing else that grows,
 * so its file system tells, and the device is left in peace. Bytes, V8's code cache included; null when it cannot be told.
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
