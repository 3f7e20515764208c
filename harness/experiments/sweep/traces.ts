import { tracedKey, type TracedRead, tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import type { SweepPlan } from '@cachescope/model/sweep/run.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import { makeOutputDirectory, writeOutput } from '../../results/output-file.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { watchSyscalls } from '../../trace/syscall-watch.ts';
import { openDeviceWatch } from '../../trace/device-watch.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import type { SweepInProgress } from './block.ts';
import {
  cellsAt,
  controlSitesOf,
  type LaunchSite,
  type Point,
  pointName,
  setPoint,
  slowSitesOf,
} from './points.ts';
import { type TakenRead, takeTracedReads, type WantedTrace } from '../explain/traced-visit.ts';

/**
 * Takes the traced reads that a sweep lacks, one per cell, in launches of their own after all timed reads, so that no
 * timed read shares a launch with a trace.
 */
export async function takeTraces(sweep: SweepInProgress): Promise<void> {
  const { plan, lab, session } = sweep;
  if (!plan.traces) return;
  const launches = tracedLaunches(plan).filter((launch) => missingOf(sweep, launch).length > 0);
  if (launches.length === 0) return;
  await using resources = new AsyncDisposableStack();
  const { privilege } = lab;
  const device = await openDeviceWatch(privilege, resources);
  const work = plan.traces.syscalls ? await makeWorkDirectory('syscalls', privilege) : null;
  if (work) resources.defer(work.remove);
  const watch = work && ((pid: number) => watchSyscalls(pid, join(work.path, 'calls'), privilege));
  session.progress.phase(launches.flatMap((launch) => missingOf(sweep, launch)).length);
  for (const [index, launch] of launches.entries()) {
    if (session.shouldStop()) return;
    const place = lab.place(launch.site);
    await withFreshBrowsers(
      (line) => session.warn(line),
      async () => {
        const wanted = missingOf(sweep, launch);
        const where = whereText(wanted);
        session.progress.status(`Traces ${index + 1} of ${launches.length}: ${where}`);
        for (const { cell } of wanted.slice(0, 1)) await setPoint(place.disk, cell);
        await device.prepare(place.disk);
        await takeTracedReads(
          { lab, place, device, watchSyscalls: watch, watched: (work) => session.watched(work) },
          wanted,
          async (taken) => {
            await session.keepBeside(keptRead(session, taken));
            session.progress.advance(
              `traced ${taken.read.cell.arm} at ${pointName(taken.read.cell)}`,
            );
            return !session.shouldStop();
          },
        );
      },
    );
  }
}

/** Writes Chromium's trace before the line that refers to it. */
function keptRead(
  { path, beside }: Pick<SweepInProgress['session'], 'path' | 'beside'>,
  { read, trace }: TakenRead,
): TracedRead {
  if (trace === null) return read;
  const folder = join(path, tracesFolder);
  makeOutputDirectory(folder);
  let number = beside.length;
  // The line of an interrupted run may be broken while its trace file exists.
  while (existsSync(join(folder, `${number}.json.gz`))) number++;
  const traceFile = `${number}.json.gz`;
  writeOutput(join(folder, traceFile), trace);
  return { ...read, traceFile };
}

/** The traced reads of one browser launch. */
interface TracedLaunch {
  site: LaunchSite;
  reads: WantedTrace[];
}

/**
 * The launches of traced reads. A site's first launch reads the hits of all its delays, then one first load without a
 * dictionary and one with a dictionary, if the plan has first loads. The first loads of each further delay have a launch
 * of their own, because Chromium keeps a dictionary in memory once it has read it.
 */
export function tracedLaunches(plan: SweepPlan): TracedLaunch[] {
  return [...controlSitesOf(plan), ...slowSitesOf(plan)].flatMap((site) => {
    // A traced read of latencies drawn at random would show one draw.
    const points = site.points.filter(({ profile }) => profile === undefined);
    const hits = points.flatMap((point) => cellsAt(plan, point)).map((cell) => ({ cell }));
    const [first = [], ...others] = site.storage === 'none' ? [] : points.map(firstLoadsOf);
    return [[...hits, ...first], ...others]
      .filter(({ length }) => length > 0)
      .map((reads) => ({ site, reads }));
  });

  function firstLoadsOf(point: Point): WantedTrace[] {
    const cells = missingFirstLoads({ plan, samples: [] }, point, 0);
    return cells.map((cell) => ({ cell, kind: 'first load' }));
  }
}

function missingOf({ traced }: SweepInProgress, { reads }: TracedLaunch): WantedTrace[] {
  const known = new Set(traced.map(tracedKey));
  return reads.filter((read) => !known.has(tracedKey(read)));
}

function whereText(wanted: readonly WantedTrace[]): string {
  const names = wanted.map(({ cell }) =>
    [pointName(cell), cell.variant].filter(Boolean).join(', '),
  );
  return [...new Set(names)].join('; ');
}
