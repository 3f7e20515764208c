import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@cachescope/harness/environment/finding.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageTrial } from '../bench/storage-trial.ts';

/** Traces of this project's disks in the system's own tools. Empty when nothing is left. */
export interface Traces {
  deviceMapper: string[];
  loops: string[];
  mounts: string[];
  directories: string[];
}

/** A delay set on a mounted disk with a file open on it. */
export interface LiveChange {
  delayMs: number;
  /** Duration of the change, ms. */
  changeMs: number;
  proof: DelayProof | null;
}

/** Direct 4 KiB requests of dd, an independent tool, one after another. */
export interface DirectRequests {
  delayMs: number;
  requests: number;
  /** Including dd's own start, ms. */
  readsTookMs: number;
  /** Minimum over several rounds, ms. */
  writesTookMs: number;
  /** The device's counters for both. */
  counted: { reads: number; writes: number };
}

/** Duration of flushes on a disk that delays only flushes. */
export interface FlushObservations {
  delayMs: number;
  /** Number of files written and flushed. */
  flushes: number;
  /** Including dd's own start for each, ms. */
  tookMs: number;
  /** The same number of direct writes without a flush, in one dd, ms. */
  writesTookMs: number;
}

/**
 * Direct reads of 64 KiB, each at a different place of the disk; or the error code if the kernel cannot make reads
 * fail.
 */
export type BadReadObservations =
  | {
      rate: number;
      reads: number;
      /**
       * Indexes of the failed reads: before bad reads were enabled, while enabled, after disabling, and after enabling
       * again.
       */
      failed: number[][];
    }
  | { refused: string };

/** A finished command of `cachescope`. */
export interface Command {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The guest's observations of the storage, in the order taken. */
export interface StorageObservations {
  /** The choice of `--storage auto`. */
  chosen: string;
  describe: string;
  changes: LiveChange[];
  /** The content of a file on the disk was the same at every delay. */
  contentKept: boolean;
  /** Without delayed writes. */
  direct: DirectRequests;
  delayedWrites: DirectRequests;
  /** Writes and flushes with separate delays. */
  flushes: FlushObservations;
  badReads: BadReadObservations;
  afterDetach: Traces;
  /** A program with a disk, killed by SIGKILL: its remains before the cleanup and after it. */
  killed: { left: Traces; reaped: Traces; failures: number };
  storageCommands: Command[];
  findings: Finding[];
  atTheEnd: Traces;
}

/** The guest's observations of the sweep; its results are in `sweep`. */
export interface SweepObservations {
  sweep: Command;
  atTheEnd: Traces;
}

const fileName = 'observations.json';

/** Writes observations into the directory shared by guest and host. */
export function writeObservations(
  directory: string,
  observations: StorageObservations | SweepObservations | StorageTrial,
): void {
  writeFileSync(join(directory, fileName), JSON.stringify(observations, null, 2));
}

/** Reads the guest's observations of the storage. */
export function readStorageObservations(directory: string): StorageObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as StorageObservations;
}

/** Reads the guest's setup times of storage, and the accuracy of its delays. */
export function readCalibration(directory: string): StorageTrial {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as StorageTrial;
}

/** Reads the guest's observations of the sweep. */
export function readSweepObservations(directory: string): SweepObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as SweepObservations;
}
