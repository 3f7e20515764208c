import type { DeviceCounts, StorageKind } from '@cachescope/model/sample.ts';
import { which } from 'zx';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { dmDelay, kernelHasDelayTarget } from './dm-delay.ts';
import { Journal } from './journal.ts';
import { nbdDelay } from './nbd-delay.ts';
import { attachOrdinaryDirectory } from './no-delay.ts';
import { attachSlowDisk, reopenSlowDisk } from './slow-disk.ts';

/** What the device does to requests. Later properties (bandwidth, faults) join here. */
export interface DeviceProperties {
  /** Added to each read, whole ms, 0 to 10000. */
  delayMs: number;
  /** Writes are delayed as reads are. */
  delayWrites: boolean;
}

/** Brings up a block device with a delay over an image file. One file each in this folder. */
export interface BackEnd {
  kind: StorageKind;
  /** True when a delay changes under a mounted file system. */
  changesLive: boolean;
  /** Debian packages and the program that tells each is there. */
  packages: readonly { name: string; program: string }[];
  /** For people. */
  title: string;
  /** Makes the device, journaled step by step; returns its path, for example `/dev/loop3`. */
  bringUp(parts: DeviceParts, properties: DeviceProperties): Promise<string>;
  /** Only where `changesLive`. */
  change?(parts: DeviceParts, properties: DeviceProperties): Promise<void>;
}

/** What a back end makes its device of. */
export interface DeviceParts {
  /** Work directory, journaled by the caller; its name is unique. */
  directory: string;
  image: string;
  journal: Journal;
  privilege: Privilege;
}

/** A directory on storage with a known delay. */
export interface SlowDisk {
  kind: StorageKind;
  /** Mount point, writable by the calling user. */
  directory: string;
  /** Back end, file system, read-ahead: for people. */
  describe: string;
  /** The device's counters now; null when the device is not known. */
  counters(): Promise<DeviceCounts | null>;
  /**
   * Sets the read delay, whole ms from 0 to 10000. Unless the back end changes it live, nothing may have files open on the
   * disk: then CS_STORAGE_BUSY says who has, and the disk stays as it was.
   */
  setDelay(delayMs: number): Promise<void>;
  /** Unmounts and removes everything. Does nothing the second time. */
  detach(): Promise<void>;
}

export interface StorageOptions {
  kind: StorageKind;
  delayWrites: boolean;
  privilege: Privilege;
  /** True for storage that is to stay when this program ends. Default false. */
  standing?: boolean;
}

/** Back ends with a delay, the better first: dm-delay works in the kernel and changes live. */
export const backEnds: readonly BackEnd[] = [dmDelay, nbdDelay];

/** Chooses the back end for `auto`: dm-delay where the kernel has it. */
export async function resolveStorageKind(
  kind: 'auto' | StorageKind,
  privilege: Privilege,
): Promise<StorageKind> {
  if (kind !== 'auto') return kind;
  return (await kernelHasDelayTarget(privilege)) ? 'dm-delay' : 'nbd-delay';
}

/** What every back end needs besides its own. */
const commonPackages = [
  { name: 'e2fsprogs', program: 'mkfs.ext4' },
  { name: 'mount', program: 'losetup' },
] as const;

/** Debian packages that a back end needs and that are not installed. */
export async function missingPackages(kind: StorageKind): Promise<string[]> {
  const backEnd = backEnds.find((candidate) => candidate.kind === kind);
  if (!backEnd) return [];
  const missing: string[] = [];
  for (const { name, program } of [...commonPackages, ...backEnd.packages]) {
    const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
    if (!(await which(program, { nothrow: true, path }))) missing.push(name);
  }
  return missing;
}

/**
 * Attaches storage, at delay 0.
 *
 * @throws CachescopeError CS_STORAGE_* when a step fails; what was made until then is undone.
 */
export async function attachStorage(options: StorageOptions): Promise<SlowDisk> {
  const backEnd = backEnds.find((candidate) => candidate.kind === options.kind);
  return backEnd ? attachSlowDisk(backEnd, options) : attachOrdinaryDirectory(options.privilege);
}

/**
 * Refuses storage that another program works on now.
 *
 * @throws CachescopeError CS_STORAGE_IN_USE with its process id, exit code 3.
 */
export function requireFree({ head, isOwned }: Journal): void {
  if (!isOwned) return;
  throw new CachescopeError(
    'CS_STORAGE_IN_USE',
    `process ${head.owner.pid} is bringing the storage up, changing it or taking it down`,
    { hint: 'Wait until it has ended, then try again.', exitCode: 3 },
  );
}

/**
 * Storage that an earlier program attached to stay, and the delay it was last told, ms; null when there is none.
 *
 * @throws CachescopeError CS_STORAGE_IN_USE while another program works on it, CS_STORAGE_GONE when only its journal is left.
 */
export async function standingStorage(
  privilege: Privilege,
): Promise<{ disk: SlowDisk; delayMs: number } | null> {
  for (const journal of Journal.all()) {
    const { standing } = journal.head;
    const backEnd = backEnds.find((candidate) => candidate.kind === standing?.kind);
    if (!standing || !backEnd) continue;
    requireFree(journal);
    const disk = await reopenSlowDisk(backEnd, journal, standing, privilege);
    return { disk, delayMs: standing.delayMs };
  }
  return null;
}
