import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SlowPart } from '@cachescope/model/sweep/run.ts';

/** Directories in which a browser keeps its data. */
export interface ProfilePlaces {
  /** `--user-data-dir`. */
  profileDirectory: string;
  /** `--disk-cache-dir`. */
  cacheDirectory: string;
  /** Chromium's dictionary store: an SQLite index and a disk cache of the bodies. */
  dictionaryDirectory: string;
}

/** The dictionary store of the default profile (chromium src content/browser/network_context). */
const storeName = 'Shared Dictionary';

/**
 * Creates a browser's directories: the named parts on the slow disk, the others in the ordinary work directory.
 * `--disk-cache-dir` moves only the HTTP cache, so the dictionary store is moved by a symbolic link, which Chromium
 * follows: observed in version 156, with its device reads on the link's target. `profile` is the rest of the profile.
 */
export async function makeSlowProfile(
  slow: readonly SlowPart[],
  places: { diskDirectory: string; workDirectory: string },
): Promise<ProfilePlaces> {
  const placeOf = (part: SlowPart) =>
    slow.includes(part) ? places.diskDirectory : places.workDirectory;
  const profileDirectory = join(placeOf('profile'), 'profile');
  const cacheDirectory = join(placeOf('cache'), 'cache');
  await mkdir(cacheDirectory, { recursive: true });
  const store = join(profileDirectory, 'Default', storeName);
  await mkdir(join(profileDirectory, 'Default'), { recursive: true });
  if (placeOf('dictionaries') === placeOf('profile'))
    return { profileDirectory, cacheDirectory, dictionaryDirectory: store };
  const dictionaryDirectory = join(placeOf('dictionaries'), 'dictionaries');
  await mkdir(dictionaryDirectory, { recursive: true });
  await symlink(dictionaryDirectory, store);
  return { profileDirectory, cacheDirectory, dictionaryDirectory };
}
