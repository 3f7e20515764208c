import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { NeededPackage } from '../../environment/setup/needs.mjs';
import type { Privilege } from '../../privilege.ts';
import type { DeviceProperties, DiskOptions } from '../device-properties.ts';
import type { Journal } from '../journal/journal.ts';

/** Creates a block device with a delay over an image file. Each back end has its own file in this folder. */
export interface BackEnd {
  kind: StorageKind;
  /** True when the delay can change under a mounted file system. */
  changesLive: boolean;
  packages: readonly NeededPackage[];
  /** Name shown to users. */
  title: string;
  /** Shown to users: what `delayWrites` delays. */
  delayedWritesText: string;
  /**
   * The options of a disk with this read delay that the back end does not support, each with the rule and an
   * alternative; empty when it supports all. Creates nothing.
   */
  problems(options: DiskOptions, readDelayMs: number, privilege: Privilege): Promise<string[]>;
  /** Creates the device and journals each step; returns its path, for example `/dev/loop3`. Bad reads and the profile are off. */
  bringUp(parts: DeviceParts, properties: DeviceProperties): Promise<string>;
  /** Only where `changesLive`. Does not change bad reads. */
  change?(parts: DeviceParts, properties: DeviceProperties): Promise<void>;
  /**
   * Path of the request log of a device that was created with `logsRequests`; absent: the back end cannot log requests.
   */
  requestLog?(parts: DeviceParts): string;
  /** Switches the device's profile on or off, live; absent: the back end draws no latencies. */
  switchProfile?(parts: DeviceParts, properties: DeviceProperties, on: boolean): Promise<void>;
  /** Switches bad reads on, at the rate that the device was created with, or off; works under a mounted file system. */
  switchBadReads(parts: DeviceParts, properties: DeviceProperties, on: boolean): Promise<void>;
}

/** The inputs from which a back end creates its device. */
export interface DeviceParts {
  /** Work directory, journaled by the caller; its name is unique. */
  directory: string;
  image: string;
  /** Size of the image, bytes. */
  imageBytes: number;
  /** Mount point of the file system. */
  mountPoint: string;
  journal: Journal;
  privilege: Privilege;
}

/** A disk from its making to its end: its device, the back end that creates it, and how it is created. */
export interface DiskSetup extends DeviceParts {
  backEnd: BackEnd;
  options: DiskOptions;
}
