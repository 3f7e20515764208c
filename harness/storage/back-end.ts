import type { StorageKind } from '@cachescope/model/sample.ts';
import type { Privilege } from '../privilege.ts';
import type { Journal } from './journal.ts';

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
