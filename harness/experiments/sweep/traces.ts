import { tracedKey, type TracedRead, tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import { makeOutputDirectory, writeOutput } from '../../results/output-file.ts';
import { makeWorkDirectory } from '../../storage/journal/work-directory.ts';
import { watchSyscalls } from '../../trace/syscall-watch.ts';
import { openDeviceWatch } from '../../trace/device-watch.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import type { SweepInProgress } from './block.ts';
import { cellsAt, controlsOf, type Point, slowPointsOf } from './points.ts';
import { setPoint } from './set-point.ts';
import { type TakenRead, takeTracedReads, type WantedTrace } from '../explain/traced-visit.ts';

/**
 * Takes the traced reads that a sweep lacks, one per cell. Each point has its own launch after all timed reads, so that
 * no timed read shares a launch with a trace.
 */
export async function takeTraces(sweep: SweepInProgress): Promise<void> {
  const { plan, lab, session } = sweep;
  if (!plan.traces) return;
  // A traced read of latencies drawn at random would show one draw.
  const points = [...controlsOf(plan), ...slowPointsOf(plan)].filter(
    ({ profile }) => profile === undefined,
  );
  const wanting = points.filter((point) => missingTraces(sweep, point).length > 0);
  if (wanting.length === 0) return;
  await using resources = new AsyncDisposableStack();
  const { privilege } = lab;
  const device = await openDeviceWatch(privilege, resources);
  const work = plan.traces.syscalls ? await makeWorkDirectory('syscalls', privilege) : null;
  if (work) resources.defer(work.remove);
  const watch = work && ((pid: number) => watchSyscalls(pid, join(work.path, 'calls'), privilege));
  for (const [index, point] of wanting.entries()) {
    if (session.shouldStop()) return;
    session.progress.status(`Trace ${index + 1} of ${wanting.length}: ${whereText(point)}`);
    const place = lab.place(point);
    await setPoint(place.disk, point);
    await device.prepare(place.disk);
    await withFreshBrowsers(
      (line) => session.warn(line),
      () =>
        takeTracedReads(
          { lab, place, device, watchSyscalls: watch },
          missingTraces(sweep, point),
          async (taken) => {
            await session.keepBeside(keptRead(session, taken));
            return !session.shouldStop();
          },
        ),
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

/**
 * The traced reads that a point still lacks: hits of every cell, then one first load without a dictionary and one with
 * a dictionary, if the plan has first loads. First loads come last and once per launch, because Chromium keeps a
 * dictionary in memory once it has read it.
 */
function missingTraces(sweep: SweepInProgress, point: Point): WantedTrace[] {
  const { plan, traced } = sweep;
  const known = new Set(traced.map(tracedKey));
  const isSlow = point.storage !== 'none';
  const loads = isSlow ? missingFirstLoads({ plan, samples: [] }, point, 0) : [];
  const wanted: WantedTrace[] = [
    ...cellsAt(plan, point).map((cell) => ({ cell })),
    ...loads.map((cell) => ({ cell, kind: 'first load' as const })),
  ];
  return wanted.filter((each) => !known.has(tracedKey(each)));
}

function whereText({ storage, delayMs, variant }: Point): string {
  const where = storage === 'none' ? 'control' : `read delay ${delayMs} ms`;
  return variant === undefined ? where : `${where}, ${variant}`;
}
