import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '@cachescope/harness/environment/finding.ts';
import type { DelayProof } from '@cachescope/model/run-base.ts';

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
  writesTookMs: number;
  /** What the device's counters say of both. */
  counted: { reads: number; writes: number };
}

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
  observations: StorageObservations | SweepObservations,
): void {
  writeFileSync(join(directory, fileName), JSON.stringify(observations, null, 2));
}

/** Reads what the guest saw of the storage. */
export function readStorageObservations(directory: string): StorageObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as StorageObservations;
}

/** Reads what the guest saw of the sweep. */
export function readSweepObservations(directory: string): SweepObservations {
  return JSON.parse(readFileSync(join(directory, fileName), 'utf8')) as SweepObservations;
}
