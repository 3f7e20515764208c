import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageKind } from '@cachescope/model/sample.ts';
import type { DeviceFaults, SlowPart } from '@cachescope/model/sweep-run.ts';
import type { Settings } from '@cachescope/model/variant.ts';
import type { LaunchOptions } from '../browser/launch.ts';
import { browserChoice } from '../browser/settings.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from '../storage/disk.ts';
import { attachStorage } from '../storage/storage.ts';

/** A storage, and how Chromium is launched with its cache on it. */
export interface Place {
  disk: SlowDisk;
  launch: LaunchOptions;
}

/** What a browser on a storage is made of. */
export interface PlaceOptions {
  chromiumPath: string;
  extensionDirectory: string;
  headful: boolean;
  delayWrites: boolean;
  privilege: Privilege;
  /** Where Chromium keeps its temporary files, so that they go when it was killed; absent: where it likes. */
  temporaryDirectory?: string | undefined;
  /** What is slow besides the cache, and what else the device does. */
  slow?: readonly SlowPart[] | undefined;
  device?: DeviceFaults | undefined;
}

/**
 * Attaches storage and says how Chromium is launched with an empty cache on it. `resources` detaches it.
 *
 * @param work directory of this place, on ordinary storage; it need not exist yet.
 */
export async function attachPlace(
  options: PlaceOptions,
  kind: StorageKind,
  work: string,
  resources: AsyncDisposableStack,
  settings: Settings = {},
): Promise<Place> {
  const { delayWrites, privilege } = options;
  const { fileSystem, readAheadKiB } = settings;
  const { device } = options;
  const disk = await attachStorage({
    kind,
    delayWrites,
    privilege,
    ...device,
    fileSystem,
    readAheadKiB,
  });
  resources.defer(() => disk.detach());
  const cacheDirectory = join(disk.directory, 'cache');
  await mkdir(cacheDirectory);
  const { executablePath, extra, environment } = browserChoice(settings);
  const launch = {
    executablePath: executablePath ?? options.chromiumPath,
    extensionDirectory: options.extensionDirectory,
    profileDirectory: work,
    cacheDirectory,
    headful: options.headful,
    extra,
    environment,
    temporaryDirectory: options.temporaryDirectory,
  };
  return { disk, launch };
}

/** Takes away what a launch has left: the next one finds an empty profile and an empty cache. */
export async function emptyPlace({ launch }: Place): Promise<void> {
  await rm(launch.profileDirectory, { recursive: true, force: true });
  await rm(launch.cacheDirectory, { recursive: true, force: true });
  await mkdir(launch.cacheDirectory);
}
