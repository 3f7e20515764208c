import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SlowPart } from '@cachescope/model/sweep/run.ts';

/** Where a browser keeps what it keeps. */
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
 * Makes the directories of a browser: the parts that are named on the slow disk, the others in the ordinary work directory.
 * `--disk-cache-dir` moves the HTTP cache alone, so the dictionary store is moved by a link in its place, which Chromium
 * follows: seen in version 156, with its device reads on the other side of the link. `profile` is the rest of the profile.
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
