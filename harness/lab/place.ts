import { rm } from 'node:fs/promises';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { LatencyProfile } from '../storage/latency-profile.ts';
import type { DeviceFaults, SlowPart } from '@cachescope/model/sweep/run.ts';
import type { Settings } from '@cachescope/model/run/variant.ts';
import type { LaunchOptions } from '../browser/launch.ts';
import type { LinkEnd } from '../network/emulated-link.ts';
import { browserChoice } from '../browser/settings.ts';
import { makeSlowProfile } from '../browser/slow-profile.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from '../storage/disk.ts';
import { attachStorage } from '../storage/storage.ts';

/** A storage, and how Chromium is launched with its cache on it. */
export interface Place {
  disk: SlowDisk;
  launch: LaunchOptions;
  /** Removes what launches have left: the next one gets an empty profile and an empty cache. */
  empty(): Promise<void>;
}

/** Inputs for a browser on a storage. */
export interface PlaceOptions {
  chromiumPath: string;
  extensionDirectory: string;
  headful: boolean;
  delayWrites: boolean;
  privilege: Privilege;
  /** Where the browser runs; absent: here. */
  link?: LinkEnd | undefined;
  /**
   * Directory for Chromium's temporary files, so that they are removed even when it was killed; absent: Chromium's
   * default.
   */
  temporaryDirectory?: string | undefined;
  /** Parts that are slow besides the cache, other device faults, and the profile that the disk can draw from. */
  slow?: readonly SlowPart[] | undefined;
  device?: (DeviceFaults & { profile?: LatencyProfile | undefined }) | undefined;
}

/**
 * Attaches storage and returns how to launch Chromium with an empty cache and the other slow parts on it. `resources`
 * detaches the storage.
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
  const directories = { diskDirectory: disk.directory, workDirectory: work };
  const make = () => makeSlowProfile(options.slow ?? ['cache'], directories);
  const made = await make();
  const { executablePath, extra, environment } = browserChoice(settings);
  const launch = {
    executablePath: executablePath ?? options.chromiumPath,
    extensionDirectory: options.extensionDirectory,
    profileDirectory: made.profileDirectory,
    cacheDirectory: made.cacheDirectory,
    headful: options.headful,
    extra,
    environment,
    temporaryDirectory: options.temporaryDirectory,
    link: options.link,
  };
  const empty = async () => {
    for (const directory of Object.values(made))
      await rm(directory, { recursive: true, force: true });
    await make();
  };
  return { disk, launch, empty };
}
