import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import type { StoredEntry } from '@cachescope/model/sweep-run.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { type Origin, startOrigin } from '@cachescope/origin/server.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { fillCache } from '../browser/fill.ts';
import type { LaunchOptions } from '../browser/launch.ts';
import type { Privilege } from '../privilege.ts';
import type { SlowDisk } from '../storage/disk.ts';
import { attachStorage } from '../storage/storage.ts';
import { makeWorkDirectory } from '../storage/work-directory.ts';

/** A storage with a filled cache on it, and how Chromium is launched to use that cache. */
export interface Place {
  disk: SlowDisk;
  launch: LaunchOptions;
  stored: StoredEntry[];
}

/** Everything a cached-read experiment works with while it runs. */
export interface Lab {
  origin: Origin;
  workload: Workload;
  privilege: Privilege;
  /** The place of each storage of the experiment; `none` is the control. */
  places: ReadonlyMap<StorageKind, Place>;
  chromium: { version: string; path: string; flags: string[] };
  /** Smallest step of performance.now() in the page, ms. */
  timerStepMs: number | null;
}

/** What a browser on a storage is made of. */
export interface PlaceOptions {
  chromiumPath: string;
  extensionDirectory: string;
  headful: boolean;
  delayWrites: boolean;
  privilege: Privilege;
}

export interface LabOptions extends PlaceOptions {
  workload: Workload;
  arms: readonly Coding[];
  storages: readonly StorageKind[];
  /** Told what is being done, one line a step. */
  say: (line: string) => void;
}

/**
 * Starts the origin, attaches the storages, and fills one fresh cache on each. What it makes is undone, last first, when
 * `resources` is disposed.
 */
export async function openLab(options: LabOptions, resources: AsyncDisposableStack): Promise<Lab> {
  const { workload, arms, privilege, say } = options;
  const work = await makeWorkDirectory('run', privilege);
  resources.defer(work.remove);
  const origin = await startOrigin({ workloads: [workload] });
  resources.defer(() => origin.close());
  const places = new Map<StorageKind, Place>();
  let chromium: Lab['chromium'] | undefined;
  let timerStepMs: number | null = null;
  for (const kind of options.storages) {
    say(
      kind === 'none'
        ? 'Filling the control cache'
        : `Attaching ${kind} storage and filling the cache on it`,
    );
    const { disk, launch } = await attachPlace(options, kind, join(work.path, kind), resources);
    const filled = await fillCache(launch, origin, workload, arms);
    places.set(kind, { disk, launch, stored: filled.stored });
    chromium = { version: filled.version, path: options.chromiumPath, flags: filled.flags };
    timerStepMs = filled.timerStepMs;
  }
  if (!chromium) throw new Error('a lab needs at least one storage');
  return { origin, workload, privilege, places, chromium, timerStepMs };
}

/** Attaches storage and says how Chromium is launched with an empty cache on it. `resources` detaches it. */
export async function attachPlace(
  options: PlaceOptions,
  kind: StorageKind,
  profileDirectory: string,
  resources: AsyncDisposableStack,
): Promise<Omit<Place, 'stored'>> {
  const { delayWrites, privilege } = options;
  const disk = await attachStorage({ kind, delayWrites, privilege });
  resources.defer(() => disk.detach());
  const cacheDirectory = join(disk.directory, 'cache');
  await mkdir(cacheDirectory);
  const launch = {
    executablePath: options.chromiumPath,
    extensionDirectory: options.extensionDirectory,
    profileDirectory,
    cacheDirectory,
    headful: options.headful,
  };
  return { disk, launch };
}
