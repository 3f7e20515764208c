import type { PageLoad } from '@cachescope/model/pageload-load.ts';
import type { PageloadPlan, PageloadRun } from '@cachescope/model/pageload-run.ts';
import type { MachineWatch } from '../environment/machine-watch.ts';
import type { Privilege } from '../privilege.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import type { Place } from '../runner/place.ts';
import type { Progress } from '../runner/progress.ts';
import type { Visited } from './pageload-visit.ts';

/** What page loads work with, found and checked before they start. */
export interface PageBench {
  chromiumPath: string;
  extensionDirectory: string;
  headful: boolean;
  privilege: Privilege;
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
}

/** Page loads while they run. */
export interface PageLab extends Visited {
  plan: PageloadPlan;
  bench: PageBench;
  /** Where the cache lies. */
  place: Place;
  run: PageloadRun;
  pageloads: PageLoad[];
  random: () => number;
  /** Browser launches so far. */
  launches: number;
}

/** Shown now, and kept for the readers of the result; the same sentence once. */
export function warn({ bench, run }: PageLab, text: string): void {
  if (run.warnings.includes(text)) return;
  bench.progress.warn(text);
  run.warnings.push(text);
}
