import type { DeviceCounts, StorageKind } from '@cachescope/model/sample.ts';
import type { Privilege } from '../privilege.ts';

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
