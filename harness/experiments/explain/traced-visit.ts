import type { Cell } from '@cachescope/model/run/sample.ts';
import type { Syscall } from '@cachescope/model/explain/syscall.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import { firstLoadPath, resourcePath } from '@cachescope/origin/workloads/urls.ts';
import { traceBrowser } from '../../browser/browser-trace.ts';
import { preparePageCache } from '../../browser/cold-read.ts';
import { diskCacheBackEndOf } from '../../browser/disk-cache-back-end.ts';
import { browserSession } from '../../browser/targets.ts';
import type { Lab, PopulatedPlace } from '../../lab/lab.ts';
import type { Watched } from '../../lab/run-session.ts';
import { difference } from '../../storage/device-counters.ts';
import { type DeviceWatch, monotonicUs, wallClockOffsetUs } from '../../trace/device-watch.ts';
import { fileExtents } from '../../trace/file-extents.ts';
import { KeptTrace } from '../../trace/kept-trace.ts';
import { type PageRead, tracedCategories, tracedRequest } from '../../trace/netlog-request.ts';
import type { SyscallWatch, TimedCall } from '../../trace/syscall-watch.ts';
import { type TracedEvidence, tracedReadOf } from '../../trace/traced-read-of.ts';
import { setPoint } from '../sweep/points.ts';
import { Visit } from '../sweep/visit.ts';

/** The tools for one traced read. */
interface Taking {
  lab: Lab;
  place: PopulatedPlace;
  visit: Visit;
  device: DeviceWatch;
  /** Starts to trace the system calls of a browser's network service; null: not requested. */
  watchSyscalls: ((browserPid: number) => Promise<SyscallWatch>) | null;
  /** As the session's. */
  watched: <Result>(work: () => Promise<Result>) => Promise<Watched<Result>>;
}

/** A traced read to take. */
export type WantedTrace = Pick<TracedRead, 'cell' | 'kind'>;

/**
 * The numbers of traced first loads are above those of timed ones, because their URLs must never have been requested
 * before.
 */
let nextLoad = 1_000_000;

/** A traced read and Chromium's trace of it, gzipped; null: the trace is too large to keep. */
export interface TakenRead {
  read: TracedRead;
  trace: Uint8Array | null;
}

/**
 * Takes traced reads with one browser launch, on a disk that is set to the delay of the first; the delay changes with the
 * reads. Each is passed to `keep` before the next is taken, until `keep` returns false.
 */
export async function takeTracedReads(
  taking: Omit<Taking, 'visit'>,
  wanted: readonly WantedTrace[],
  keep: (taken: TakenRead) => Promise<boolean>,
): Promise<void> {
  let delayMs = wanted[0]?.cell.delayMs ?? 0;
  const visit = await Visit.begin(taking.lab, taking.place, delayMs);
  try {
    for (const each of wanted) {
      if (each.cell.delayMs !== delayMs) await setPoint(taking.place.disk, each.cell);
      delayMs = each.cell.delayMs;
      const reading = () => takeTracedRead({ ...taking, visit }, each);
      const { result, flags } = await taking.watched(reading);
      const read = { ...result.read, flags: [...result.read.flags, ...flags] };
      const mayContinue = await keep({ ...result, read });
      if (!mayContinue) return;
    }
  } finally {
    await visit.end();
  }
}

async function takeTracedRead(taking: Taking, { cell, kind }: WantedTrace): Promise<TakenRead> {
  const { lab, place, visit, device } = taking;
  const { disk, launch } = place;
  const workload = lab.workloadOf(cell);
  const path =
    kind === 'first load'
      ? firstLoadPath(workload.name, cell.arm, nextLoad++)
      : resourcePath(workload.name, cell.arm);
  const backEnd = await diskCacheBackEndOf(launch.cacheDirectory);
  const extents = await extentsOf(place);
  const root = await browserSession(visit.browser);
  const takenAt = new Date().toISOString();
  await preparePageCache(place, kind === 'first load' ? 'cold' : lab.state, lab.privilege);
  const calls = (await taking.watchSyscalls?.(visit.browser.process()?.pid ?? 0)) ?? null;
  await device.begin(disk);
  const { result, trace } = await traceBrowser(root, tracedCategories, () =>
    countedRead(taking, cell, path),
  );
  const { read, counted, counts } = result;
  const seen = await device.end();
  const syscalls = (await calls?.end()) ?? null;
  const kept = new KeptTrace();
  const traced = await tracedRequest(kept.passedOn(trace.pieces), lab.origin.url + path);
  await root.detach();
  const evidence: TracedEvidence = {
    cell,
    kind,
    takenAt,
    backEnd,
    result: read,
    resourceSha256: workload.resourceSha256,
    traced,
    isCutOff: trace.isCutOff,
    device: {
      ...seen,
      countedReads: counts?.reads ?? null,
      counted,
      extents,
      isShared: counts?.shared ?? false,
    },
    syscalls: syscalls && syscallsOf(syscalls, traced.page),
    ...(syscalls && { syscallsWhy: straceWhy }),
  };
  return { read: tracedReadOf(evidence), trace: await kept.gzipped() };
}

/**
 * The files are unknown on ordinary storage, which has too many, and on btrfs, whose addresses are not device offsets.
 */
async function extentsOf({ disk }: PopulatedPlace) {
  return disk.kind === 'none' || disk.fileSystem === 'btrfs' ? null : fileExtents(disk.directory);
}

const straceWhy = 'strace stops the network service at each call, so this read took longer';

/**
 * The system calls while the page waited, with times on the page's clock; null: the trace does not contain the read.
 */
function syscallsOf(calls: readonly TimedCall[], page: PageRead | null): Syscall[] | null {
  if (page === null) return null;
  const offsetUs = wallClockOffsetUs() + page.beginUs;
  const lastMs = (page.endUs - page.beginUs) / 1000;
  return calls
    .map(({ beginUs, endUs, ...call }) => ({
      ...call,
      startMs: (beginUs - offsetUs) / 1000,
      endMs: (endUs - offsetUs) / 1000,
    }))
    .filter(({ startMs, endMs }) => endMs > 0 && startMs < lastMs);
}

/** One read between two readings of the device counters. */
async function countedRead({ visit, place }: Taking, cell: Cell, path: string) {
  const before = await place.disk.counters();
  const beginUs = monotonicUs();
  const read = await visit.markedRead(cell, path);
  const after = await place.disk.counters();
  const endUs = monotonicUs();
  const counts = before && after ? difference(after, before) : null;
  const inFlight = (before?.inFlight ?? 0) + (after?.inFlight ?? 0);
  return { read, counted: { beginUs, endUs, inFlight }, counts };
}
