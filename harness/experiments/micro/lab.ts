import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { MicroPlan, MicroRun } from '@cachescope/model/micro/run.ts';
import type { MicroSlice } from '@cachescope/model/micro/slice.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import type { RunSession } from '../../lab/run-session.ts';
import type { SlowDisk } from '../../storage/disk.ts';
import type { Found } from '../experiment.ts';
import type { MicroTasks } from './tasks.ts';

/** The requirements of the micro-benchmarks. */
export interface MicroFound extends Found {
  plan: MicroPlan;
  headful: boolean;
  /** False when the page cache cannot be dropped: benchmarks that need it are left out. */
  canDrop: boolean;
}

/** The state of a run of the micro-benchmarks. */
export interface MicroLab {
  plan: MicroPlan;
  session: RunSession<MicroRun, MicroSlice, MicroFound>;
  origin: Origin;
  tasks: MicroTasks;
  /** Directory for profiles and for caches on ordinary storage. */
  work: string;
  /** Disk of the delayed caches; null without delays. */
  slow: SlowDisk | null;
  /** Ordinary storage. */
  ordinary: SlowDisk;
  random: () => number;
  /** Browser launches so far. */
  launches: number;
  /** First key that no run has used. */
  freeKey: number;
}

/** Reserves `count` keys that no run has used; returns the first. */
export function freshKeys(lab: MicroLab, count: number): number {
  const from = lab.freeKey;
  lab.freeKey += count;
  return from;
}

/** A fresh profile and cache; both are removed when it is disposed. */
export interface MicroProfile extends AsyncDisposable {
  profileDirectory: string;
  cacheDirectory: string;
  disk: SlowDisk;
}

/** Creates a profile whose cache is on a disk. `name` is unique in the run. */
export async function makeProfile(
  lab: MicroLab,
  name: string,
  disk: SlowDisk,
): Promise<MicroProfile> {
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
    [Symbol.asyncDispose]: async () => {
      await rm(profileDirectory, options);
      await rm(cacheDirectory, options);
    },
  };
}
