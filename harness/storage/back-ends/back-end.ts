import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { Privilege } from '../../privilege.ts';
import type { DeviceProperties, DiskOptions } from '../device-properties.ts';
import type { Journal } from '../journal/journal.ts';

/** A Debian package that a back end needs. */
export interface NeededPackage {
  name: string;
  /** The program that tells it is there. */
  program: string;
  /** Words with which that program ends with code 0 only when the package is there; absent: its presence tells. */
  probe?: readonly string[];
}

/** Brings up a block device with a delay over an image file. One file each in this folder. */
export interface BackEnd {
  kind: StorageKind;
  /** True when a delay changes under a mounted file system. */
  changesLive: boolean;
  packages: readonly NeededPackage[];
  /** For people. */
  title: string;
  /** For people: what `delayWrites` delays. */
  delayedWritesText: string;
  /**
   * What this back end cannot do of a disk with this read delay, each with the rule and the way out; empty when it can do
   * all. Makes nothing.
   */
  problems(options: DiskOptions, readDelayMs: number, privilege: Privilege): Promise<string[]>;
  /** Makes the device, journaled step by step; returns its path, for example `/dev/loop3`. Bad reads are off. */
  bringUp(parts: DeviceParts, properties: DeviceProperties): Promise<string>;
  /** Only where `changesLive`. Leaves bad reads as they are. */
  change?(parts: DeviceParts, properties: DeviceProperties): Promise<void>;
  /** Where a device that was brought up to log its requests writes them down; absent: it cannot. */
  requestLog?(parts: DeviceParts): string;
  /** Switches bad reads on, at the rate that the device was brought up for, or off; under a mounted file system. */
  switchBadReads(parts: DeviceParts, properties: DeviceProperties, on: boolean): Promise<void>;
}

/** What a back end makes its device of. */
export interface DeviceParts {
  /** Work directory, journaled by the caller; its name is unique. */
  directory: string;
  image: string;
  /** Size of the image, bytes. */
  imageBytes: number;
  /** Where the file system is mounted. */
  mountPoint: string;
  journal: Journal;
  privilege: Privilege;
}
