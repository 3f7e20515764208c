import type { MachineWatch } from '../environment/machine-watch.ts';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MicroPlan, MicroRun } from '@cachescope/model/micro-run.ts';
import type { MicroSlice } from '@cachescope/model/micro-slice.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import type { Progress } from '../runner/progress.ts';
import type { SlowDisk } from '../storage/disk.ts';
import type { MicroDesk } from './micro-desk.ts';

/** What the micro-benchmarks work with, found and checked before they start. */
export interface MicroBench {
  chromiumPath: string;
  headful: boolean;
  privilege: Privilege;
  /** False where the page cache cannot be dropped: then what needs it is left out, with a warning. */
  canDrop: boolean;
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
}

/** The micro-benchmarks while they run. */
export interface MicroLab {
  plan: MicroPlan;
  bench: MicroBench;
  origin: Origin;
  desk: MicroDesk;
  /** Folder for profiles and for the caches on ordinary storage. */
  work: string;
  /** Where the delayed caches lie; null without delays. */
  slow: SlowDisk | null;
  /** Ordinary storage. */
  ordinary: SlowDisk;
  run: MicroRun;
  slices: MicroSlice[];
  random: () => number;
  /** Browser launches so far. */
  launches: number;
  /** First key that no run has used. */
  freeKey: number;
}

/** Takes so many keys that no run has used; returns the first. */
export function freshKeys(lab: MicroLab, count: number): number {
  const from = lab.freeKey;
  lab.freeKey += count;
  return from;
}

/** A fresh profile and cache. */
export interface MicroHome {
  profileDirectory: string;
  cacheDirectory: string;
  disk: SlowDisk;
  /** Removes both. */
  remove(): Promise<void>;
}

/** Makes a home whose cache lies on a disk. `name` is unique in the run. */
export async function makeHome(lab: MicroLab, name: string, disk: SlowDisk): Promise<MicroHome> {
  const profileDirectory = join(lab.work, `${name}-profile`);
  const cacheDirectory =
    disk.kind === 'none' ? join(lab.work, `${name}-cache`) : join(disk.directory, name);
  await mkdir(profileDirectory);
  await mkdir(cacheDirectory);
  const options = { recursive: true, force: true, maxRetries: 5 };
  return {
    profileDirectory,
    cacheDirectory,
    disk,
    remove: async () => {
      await rm(profileDirectory, options);
      await rm(cacheDirectory, options);
    },
  };
}

/** Shown now, and kept for the readers of the result; the same sentence once. */
export function warn({ bench, run }: MicroLab, text: string): void {
  if (run.warnings.includes(text)) return;
  bench.progress.warn(text);
  run.warnings.push(text);
}

/** In random order, from the run's seed. */
export function shuffled<Item>(lab: MicroLab, items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, key: lab.random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
