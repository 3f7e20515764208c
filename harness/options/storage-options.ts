import { type StorageKind, storageKinds } from '@cachescope/model/run/sample.ts';
import { fileSystems } from '@cachescope/model/run/variant.ts';
import type { DiskOptions } from '../storage/device-properties.ts';
import { type NamedPlaces, placeProblems } from '../storage/disk-places.ts';
import { readDevice } from './device-reading.ts';
import { oneOf } from './name-reading.ts';
import type { Problems } from './option-reading.ts';
import { delayRule, quantity } from './quantity-option.ts';
import { readProfile, shippedProfiles } from './profile-reading.ts';
import { tableOptions } from './table-command.ts';
import { readAheadOf } from './factor-reading.ts';

/** The storage that `storage up` attaches. */
export interface UpOptions {
  delayMs: number;
  storage: 'auto' | StorageKind;
  disk: DiskOptions & NamedPlaces;
  dryRun: boolean;
}

const text = (value: string, description: string) => ({ value, description });

const upTable = {
  delay: {
    value: '<ms>',
    description: 'read delay',
    default: '0',
    read: quantity(delayRule),
  },
  storage: {
    value: '<kind>',
    description: 'auto, dm-delay, nbd-live or nbd-delay',
    default: 'auto',
    read: oneOf(['auto', ...storageKinds.filter((kind) => kind !== 'none')]),
  },
  delayWrites: { description: 'delay writes like reads' },
  writeDelay: text('<ms>', 'delay of each write, independent of the read delay'),
  flushDelay: text('<ms>', 'delay of each flush (not with nbd-delay)'),
  bandwidth: text('<rate>', 'bandwidth in each direction, as 20MB/s (not with dm-delay)'),
  profile: {
    value: '<name|file>',
    description: `latencies of a disk: ${shippedProfiles.map(({ name }) => name).join(', ')}, or a JSON file`,
    read: (name: string, _flag: string, problems: Problems) => readProfile(name, problems),
  },
  badReads: text('<share>', 'share of reads that fail once switched on, such as 1%'),
  fileSystem: {
    value: '<name>',
    description: `file system: ${fileSystems.join(', ')}`,
    default: 'ext4',
    read: oneOf(fileSystems),
  },
  readAhead: {
    value: '<KiB>',
    description: 'read-ahead of the disk (default: 128)',
    read: (size: string, _flag: string, problems: Problems) => readAheadOf(size, problems),
  },
  image: text('<file>', 'new file for the disk (default: in TMPDIR)'),
  mount: text('<directory>', 'empty directory to mount it on (default: in TMPDIR)'),
  dryRun: { description: 'print every privileged command, run none' },
} as const;

/** The options of `storage up`. Reading them creates nothing. */
export const upOptions = tableOptions(upTable, (values, problems): UpOptions => {
  const { delay, storage, delayWrites, profile, fileSystem, readAhead: readAheadKiB } = values;
  const places = { imagePath: values.image, mountPoint: values.mount };
  problems.push(...placeProblems(places));
  return {
    delayMs: delay,
    // Only the device of nbd-live draws latencies.
    storage: profile && storage === 'auto' ? 'nbd-live' : storage,
    disk: {
      delayWrites,
      ...readDevice(values, problems),
      fileSystem,
      ...(readAheadKiB !== undefined && { readAheadKiB }),
      ...places,
      ...(profile && { profile }),
    },
    dryRun: values.dryRun,
  };
});
