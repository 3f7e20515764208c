import type { Sample } from '@cachescope/model/sample.ts';
import type { TracedRead } from '@cachescope/model/traced-read.ts';
import type { SweepRun } from '@cachescope/model/sweep-run.ts';
import { CachescopeError } from '../error.ts';

/** A sweep that ended before its time. */
export interface SavedSweep {
  run: SweepRun;
  samples: Sample[];
  traced?: TracedRead[] | undefined;
}

/** One thing that a figure depends on, and how it reads in a run. */
type Dependence = [name: string, read: (run: SweepRun) => string];

const dependences: Dependence[] = [
  ['workload', workloadsText],
  ['storage', ({ environment }) => environment.storage],
  ['Chromium', ({ environment }) => environment.chromium.version],
  ['kernel', ({ environment }) => environment.kernel],
  ['processor', ({ environment }) => `${environment.cpu}, ${environment.cores} cores`],
  ['version of Cachescope', ({ tool }) => tool.version],
  ['what lies in the cache', storedText],
  ['browsers and disks', placesText],
];

function placesText({ places = [] }: SweepRun): string {
  return places
    .map(({ storage, variant = 'no variant', browser, binary, disk }) =>
      [storage, variant, browser, binary, disk].join(', '),
    )
    .join('; ');
}

function workloadsText({ plan }: SweepRun): string {
  const { workload, workloads = [workload] } = plan;
  return workloads.map(({ resourceSha256 }) => resourceSha256).join(', ');
}

function storedText({ stored }: SweepRun): string {
  const entries = stored.map(
    ({ arm, variant = '', workload = '', storedBytes, wireBytes }) =>
      `${arm}${variant}${workload} ${wireBytes} B sent, ${storedBytes ?? 'unknown'} B stored`,
  );
  return entries.join('; ');
}

/**
 * Refuses to go on with a run when something its figures depend on is not as it was: its cells would not be of one kind.
 *
 * @throws CachescopeError CS_RESUME_CHANGED with every difference, exit code 3.
 */
export function requireUnchanged(saved: SweepRun, now: SweepRun): void {
  const changed = dependences
    .map(([name, read]) => ({ name, was: read(saved), is: read(now) }))
    .filter(({ was, is }) => was !== is);
  if (changed.length === 0) return;
  const list = changed.map(({ name, was, is }) => `\n  - ${name}: was ${was}; is ${is}`);
  throw new CachescopeError(
    'CS_RESUME_CHANGED',
    `the run cannot be resumed, because what its figures depend on has changed:${list.join('')}`,
    { hint: 'Report what it has with npm run report -- DIR, and take a new run.', exitCode: 3 },
  );
}

/**
 * Refuses what cannot be resumed: a run that is complete. One that is still running holds the machine.
 *
 * @throws CachescopeError CS_RESUME_COMPLETE, exit code 2.
 */
export function requireIncomplete(run: SweepRun, path: string): void {
  if (run.status !== 'complete') return;
  throw new CachescopeError('CS_RESUME_COMPLETE', `${path} is complete; nothing is left to take`, {
    hint: 'Take a new run, or report this one with npm run report -- DIR.',
    exitCode: 2,
  });
}
