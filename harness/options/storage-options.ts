import { type StorageKind, storageKinds } from '@cachescope/model/run/sample.ts';
import { fileSystems } from '@cachescope/model/run/variant.ts';
import type { DiskOptions } from '../storage/device-properties.ts';
import { type NamedPlaces, placeProblems } from '../storage/disk-places.ts';
import { type RawDevice, readDevice } from './device-reading.ts';
import { oneOf } from './name-reading.ts';
import type { Problems, TextsOf } from './option-reading.ts';
import { delayRule, quantity } from './quantity-option.ts';
import { readProfile } from './profile-reading.ts';
import { readAheadOf } from './factor-reading.ts';

/** The options of `storage up` as text. */
export interface RawUp extends RawDevice, TextsOf<'readAhead' | 'image' | 'mount' | 'profile'> {
  delay: string;
  storage: string;
  delayWrites: boolean;
  fileSystem: string;
  dryRun: boolean;
}

/** The storage that `storage up` attaches. */
export interface UpOptions {
  delayMs: number;
  storage: 'auto' | StorageKind;
  disk: DiskOptions & NamedPlaces;
}

/** A delay, ms: fractions where the storage supports them. */
export function readDelay(text: string, problems: Problems): number {
  return quantity(delayRule)(text, 'the delay', problems);
}

const readKind = oneOf(['auto', ...storageKinds.filter((kind) => kind !== 'none')]);
const readFileSystem = oneOf(fileSystems);

/** Parses the options of `storage up`; problems are added to `problems`. Creates nothing. */
export function readUp(raw: RawUp, problems: Problems): UpOptions {
  const { delayWrites, readAhead, image, mount } = raw;
  const places = { imagePath: image, mountPoint: mount };
  problems.push(...placeProblems(places));
  const profile = raw.profile === undefined ? undefined : readProfile(raw.profile, problems);
  const storage = readKind(raw.storage, '--storage', problems);
  return {
    delayMs: readDelay(raw.delay, problems),
    // Only the device of nbd-live draws latencies.
    storage: profile && storage === 'auto' ? 'nbd-live' : storage,
    disk: {
      delayWrites,
      ...readDevice(raw, problems),
      fileSystem: readFileSystem(raw.fileSystem, '--file-system', problems),
      ...(readAhead !== undefined && {
        readAheadKiB: readAheadOf(readAhead, problems),
      }),
      ...places,
      ...(profile && { profile }),
    },
  };
}
