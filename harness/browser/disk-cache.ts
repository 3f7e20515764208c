import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** First 8 bytes of an entry file of Chromium's simple back end (net/disk_cache/simple/simple_entry_format.h). */
const simpleEntryMagic = 0xfcfb6d1ba7725c30n;
const headerBytes = 24;

/** Where `--disk-cache-dir` keeps the HTTP cache of the default profile. */
export function cacheDataDirectory(cacheDirectory: string): string {
  return join(cacheDirectory, 'Default', 'Cache', 'Cache_Data');
}

/** Key of the entry in one `<hash>_0` file, or null when the file is none. */
async function entryKey(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const header = Buffer.alloc(headerBytes);
    const { bytesRead } = await file.read(header, 0, headerBytes, 0);
    if (bytesRead < headerBytes || header.readBigUInt64LE(0) !== simpleEntryMagic) return null;
    const key = Buffer.alloc(header.readUInt32LE(12));
    await file.read(key, 0, key.length, headerBytes);
    return key.toString('utf8');
  } finally {
    await file.close();
  }
}

/**
 * Size of the file in which Chromium's simple cache back end keeps the response of each URL: headers, body and some
 * 100 bytes of its own. Bytes. A URL without an entry is absent from the map: unknown, or not stored. Other back ends
 * keep no file an entry, so the map is empty there.
 */
export async function storedBytesByUrl(
  cacheDirectory: string,
  urls: readonly string[],
): Promise<Map<string, number>> {
  const directory = cacheDataDirectory(cacheDirectory);
  const names = await readdir(directory).catch(() => []);
  const sizes = new Map<string, number>();
  for (const name of names.filter((candidate) => candidate.endsWith('_0'))) {
    const path = join(directory, name);
    const key = await entryKey(path);
    // The key is the URL behind the partition it belongs to: "1/0/_dk_SITE SITE URL".
    const url = urls.find(
      (candidate) => key !== null && (key === candidate || key.endsWith(` ${candidate}`)),
    );
    if (url) sizes.set(url, (await stat(path)).size);
  }
  return sizes;
}
