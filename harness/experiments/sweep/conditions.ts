import type { SweepRun } from '@cachescope/model/sweep/run.ts';

/** Conditions that must be unchanged when a sweep is resumed: otherwise its samples would not be comparable. */
export const sweepConditions: readonly (readonly [string, (run: SweepRun) => string])[] = [
  ['workload', workloadsText],
  ['storage', ({ environment }) => environment.storage],
  ['link', ({ environment }) => environment.link ?? 'none'],
  ['Chromium', ({ environment }) => environment.chromium.version],
  ['kernel', ({ environment }) => environment.kernel],
  ['processor', ({ environment }) => `${environment.cpu}, ${environment.cores} cores`],
  ['version of Cachescope', ({ tool }) => tool.version],
  ['contents of the cache', storedText],
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
