import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { DiskCacheBackEnd } from '@cachescope/model/run/variant.ts';
import { CachescopeError } from '../error.ts';
import { cacheDataDirectory } from './disk-cache.ts';

/**
 * First bytes of the file `index`, which every back end writes with its own header (Chromium 156): simple with the
 * little-endian magic of net/disk_cache/simple, blockfile with 0xc103cac3, sql with a text that no other back end
 * accepts as its own.
 */
const firstBytes: Readonly<Record<DiskCacheBackEnd, Buffer>> = {
  simple: Buffer.from('305c72a71b6dfbfc', 'hex'),
  blockfile: Buffer.from('c3ca03c1', 'hex'),
  sql: Buffer.from('SQLCache'),
};

const names = Object.keys(firstBytes) as DiskCacheBackEnd[];
const longest = Math.max(...names.map((name) => firstBytes[name].length));

/**
 * Switches that make Chromium keep its HTTP cache in the given back end (observed in Chromium 156; the default on Linux
 * is `simple`). Puppeteer joins the features of all `--enable-features`. A cache directory that another back end
 * created is emptied at start-up. `diskCacheBackEndOf` shows whether Chromium used the requested one.
 */
export function diskCacheFlags(
  backEnd: DiskCacheBackEnd,
  parameters: Readonly<Record<string, string>> = {},
): string[] {
  const words = Object.entries({ backend: backEnd, ...parameters }).flat();
  return [`--enable-features=DiskCacheBackendExperiment:${words.join('/')}`];
}

/**
 * The back end that created the cache under a `--disk-cache-dir`, identified by its files: they exist from the first
 * use of the cache, while the browser runs and afterwards. null when there is no cache yet, or one of an unknown kind.
 */
export async function diskCacheBackEndOf(cacheDirectory: string): Promise<DiskCacheBackEnd | null> {
  const beginning = await beginningOf(join(cacheDataDirectory(cacheDirectory), 'index'));
  const isOf = (name: DiskCacheBackEnd) =>
    beginning.subarray(0, firstBytes[name].length).equals(firstBytes[name]);
  return names.find(isOf) ?? null;
}

/** Empty when there is no such file. */
async function beginningOf(path: string): Promise<Buffer> {
  await using file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!file) return Buffer.alloc(0);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longest), 0, longest, 0);
  return buffer.subarray(0, bytesRead);
}

/**
 * Verifies that Chromium used the requested back end; checks nothing when none is requested.
 *
 * @throws CachescopeError CS_FILL_BACK_END
 */
export async function requireBackEnd(
  cacheDirectory: string,
  wanted: DiskCacheBackEnd | undefined,
): Promise<void> {
  if (wanted === undefined) return;
  const found = await diskCacheBackEndOf(cacheDirectory);
  if (found === wanted) return;
  throw new CachescopeError(
    'CS_FILL_BACK_END',
    `Chromium was told to use the disk cache ${wanted} and created ${found ?? 'one of an unknown kind'}`,
    { hint: 'This Chromium does not have that back end, or not under this name; omit it.' },
  );
}
