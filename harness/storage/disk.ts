import type { DeviceCounts, StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import type { Privilege } from '../privilege.ts';
import type { DiskOptions } from './device-properties.ts';

/** A directory on storage with a known delay. */
export interface SlowDisk {
  kind: StorageKind;
  /** Mount point, writable by the calling user. */
  directory: string;
  /** Back end, file system, read-ahead and what else was asked for: for people. */
  describe: string;
  /** Absent on ordinary storage. */
  fileSystem?: FileSystem;
  /** The block device below the file system now, for example `/dev/loop3`; absent on ordinary storage. */
  device?(): string;
  /** Read-ahead of the device as the kernel says it, KiB; absent where it does not. */
  readAheadKiB?: number;
  /** The device's counters now; null when the device is not known. */
  counters(): Promise<DeviceCounts | null>;
  /**
   * Sets the read delay, 0 to 10000 ms. Unless the back end changes it live, nothing may have files open on the disk: then
   * CS_STORAGE_BUSY says who has, and the disk stays as it was. CS_STORAGE_DELAY (exit code 2) for a value that the back end
   * cannot keep, as a fraction of a ms where it counts in whole ones.
   */
  setDelay(delayMs: number): Promise<void>;
  /**
   * Lets device reads fail with EIO, live: `rate` is 0 (off) or the rate that the disk was attached for, else
   * CS_STORAGE_BAD_READS. Off after attaching. Absent where the storage cannot fail.
   */
  setBadReadRate?(rate: number): Promise<void>;
  /**
   * From now on the device writes down each request, in the file whose path is returned; it is brought up anew for it, so
   * nothing may have files open on the disk. Absent where the storage cannot.
   */
  logRequests?(): Promise<string>;
  /** Unmounts and removes everything. Does nothing the second time. */
  detach(): Promise<void>;
}

/** What storage is attached. All but `kind` and `privilege` mean nothing to ordinary storage. */
export interface StorageOptions extends DiskOptions {
  kind: StorageKind;
  privilege: Privilege;
  /** True for storage that is to stay when this program ends. Default false. */
  standing?: boolean;
  /** Where the image is to lie; must not exist. Default: in a work directory. */
  imagePath?: string | undefined;
  /** Where the disk is to be mounted; an empty directory that is no mount point. Default: in a work directory. */
  mountPoint?: string | undefined;
}
