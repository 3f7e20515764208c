import type { StorageKind } from '@cachescope/model/run/sample.ts';
import type { FileSystem } from '@cachescope/model/run/variant.ts';
import type { Privilege } from '../privilege.ts';
import type { CounterReading } from './device-counters.ts';
import type { DiskOptions } from './device-properties.ts';

/** A directory on storage with a known delay. */
export interface SlowDisk {
  kind: StorageKind;
  /** Mount point, writable by the calling user. */
  directory: string;
  /** For users: back end, file system, read-ahead and other options. */
  describe: string;
  /** Absent on ordinary storage. */
  fileSystem?: FileSystem;
  /** The current block device below the file system, for example `/dev/loop3`; absent on ordinary storage. */
  device?(): string;
  /** The device's read-ahead as the kernel reports it, KiB; absent where it reports none. */
  readAheadKiB?: number;
  /** The device's current counters; null when the device is unknown. */
  counters(): Promise<CounterReading | null>;
  /**
   * Sets the read delay, 0 to 10000 ms. Unless the back end changes it live, no files may be open on the disk:
   * otherwise CS_STORAGE_BUSY names the processes, and the disk stays unchanged. CS_STORAGE_DELAY (exit code 2) for a
   * value that the back end does not support, such as a fraction of a ms where it supports only whole ms.
   */
  setDelay(delayMs: number): Promise<void>;
  /**
   * Makes device reads fail with EIO, live: `rate` is 0 (off) or the rate that the disk was attached with, else
   * CS_STORAGE_BAD_READS. Off after attaching. Absent where the storage cannot fail reads.
   */
  setBadReadRate?(rate: number): Promise<void>;
  /** Switches the profile that the disk was attached with on or off, live. Absent on a disk without a profile. */
  setProfile?(on: boolean): Promise<void>;
  /**
   * Starts logging each request to the file whose path is returned. The device is recreated for it, so no files may be
   * open on the disk. Absent where the storage has no request log.
   */
  logRequests?(): Promise<string>;
  /** Unmounts and removes everything. A second call does nothing. */
  detach(): Promise<void>;
}

/** Which storage to attach. Ordinary storage uses only `kind` and `privilege`. */
export interface StorageOptions extends DiskOptions {
  kind: StorageKind;
  privilege: Privilege;
  /** True for storage that stays when this program exits. Default false. */
  standing?: boolean;
  /** Path of the image; must not exist. Default: in a work directory. */
  imagePath?: string | undefined;
  /** Mount point of the disk; an empty directory that is not a mount point. Default: in a work directory. */
  mountPoint?: string | undefined;
}
