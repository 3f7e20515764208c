import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@cachescope/harness/environment/finding.ts';
import type { DelayProof } from '@cachescope/model/run/base.ts';
import type { StorageTrial } from '../bench/storage-trial.ts';

/** What the system's own tools show of disks of this project. Empty when nothing is left. */
export interface Traces {
  deviceMapper: string[];
  loops: string[];
  mounts: string[];
  directories: string[];
}

/** A delay set on a mounted disk with a file open on it. */
export interface LiveChange {
  delayMs: number;
  /** How long the change took, ms. */
  changeMs: number;
  proof: DelayProof | null;
}

/** Direct 4 KiB requests of dd, an instrument that is not ours, one after another. */
export interface DirectRequests {
  delayMs: number;
  requests: number;
  /** With dd's own start, ms. */
  readsTookMs: number;
  /** Of the fastest of several rounds. */
  writesTookMs: number;
  /** What the device's counters say of both. */
  counted: { reads: number; writes: number };
}

/** What flushes take on a disk that delays them alone. */
export interface FlushObservations {
  delayMs: number;
  /** Number of files written and flushed. */
  flushes: number;
  /** With dd's own start for each, ms. */
  tookMs: number;
  /** The same number of direct writes without a flush, in one dd, ms. */
  writesTookMs: number;
}

/** Direct reads of 64 KiB, each somewhere else on the disk; or the error code with which the kernel's lack was refused. */
export type BadReadObservations =
  | {
      rate: number;
      reads: number;
      /** Which of them failed: before bad reads were switched on, on, switched off, and on again. */
      failed: number[][];
    }
  | { refused: string };

/** A command of `cachescope`, run to its end. */
export interface Command {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What the guest saw of the storage, in the order taken. */
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
  /** Writes and flushes with a delay of their own. */
  flushes: FlushObservations;
  badReads: BadReadObservations;
  afterDetach: Traces;
  /** A program with a disk, killed by SIGKILL: what it left, and what the reaper left. */
  killed: { left: Traces; reaped: Traces; failures: number };
  storageCommands: Command[];
  findings: Finding[];
  atTheEnd: Traces;
}

/** What the guest saw of the sweep; its results lie in `sweep`. */
export interface SweepObservations {
  sweep: Command;
  atTheEnd: Traces;
}

const fileName = 'observations.json';

/** Writes them into the directory that both sides see. */
export function writeObservations(
  directory: string,
  observations: StorageObservations | SweepObservations | StorageTrial,
): void {
  writeFileSync(join(directory, fileName), JSON.stringify(observations, null, 2));
}

/** Reads what the guest saw of the storage. */
export function readStorageObservations(directory: string): StorageObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as StorageObservations;
}

/** Reads what storage took in the guest, and how its delays came out. */
export function readCalibration(directory: string): StorageTrial {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as StorageTrial;
}

/** Reads what the guest saw of the sweep. */
export function readSweepObservations(directory: string): SweepObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as SweepObservations;
}
