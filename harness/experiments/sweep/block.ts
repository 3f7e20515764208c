import { missingCells } from '@cachescope/model/run/cell.ts';
import { type Cell, cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import type { PopulatedPlace, Lab } from '../../lab/lab.ts';
import { undisturbed } from '../../lab/proven-delay.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { type Block, onceInEach } from '../../lab/schedule.ts';
import { messageOf } from '../../error.ts';
import {
  openDelayProof,
  type OpenDelayProof,
  type ProofRequest,
} from '../../storage/delay-proof.ts';
import type { Found } from '../experiment.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import type { SweptWorkload } from './swept-workloads.ts';
import { cellsAt, type LaunchSite, type Point, pointName, setPoint, settingsAt } from './points.ts';
import { resultSoFar } from './so-far.ts';
import { type TakenSample, Visit } from './visit.ts';

/** The plan and the workloads of a sweep. */
export interface SweepPlanned {
  plan: SweepPlan;
  workloads: readonly SweptWorkload[];
}

/** The session in which a sweep measures. */
export type SweepSession = RunSession<SweepRun, Sample, SweepPlanned & Found, TracedRead>;

/** Number of direct reads that verify a delay, before and after each visit to a point. */
const proofReads = 8;
/** Time limit for verifying a delay that changes within a launch, ms. */
const proofLimitMs = 36;

/** Time of the direct reads that measure the latencies of a profile, each time it is switched on, ms. */
const profileLimitMs = 200;

/** One launch of a sweep. */
export type SweepBlock = Block<LaunchSite, Cell>;

/** A sweep in progress: its session and its measurements so far. */
export interface SweepInProgress {
  plan: SweepPlan;
  session: SweepSession;
  lab: Lab;
  run: SweepRun;
  samples: readonly Sample[];
  /** The traced reads taken so far, at most one per cell. */
  traced: readonly TracedRead[];
  /** Browser launches so far, which is also the number of the next launch. */
  launches: number;
}

interface WantedRead {
  kind: Sample['kind'];
  cell: Cell;
  pass: number;
}

function wantedReads(kind: Sample['kind'], cells: readonly Cell[], pass: number): WantedRead[] {
  return cells.map((cell) => ({ kind, cell, pass }));
}

/** The confirmation reads (`companion`) that a point still lacks; empty except in the last planned pass. */
export function missingConfirmations(
  { plan, samples }: Pick<SweepInProgress, 'plan' | 'samples'>,
  point: Point,
  pass: number,
): Cell[] {
  if (pass !== plan.launchesPerPoint - 1) return [];
  const companions = samples.filter(({ kind }) => kind === 'companion');
  return missingCells(cellsAt(plan, point), companions, cellKey);
}

/**
 * Takes the reads of one block. In the crossed design one browser launch reads at every delay, and the delay changes
 * while the browser runs; first loads have a launch for each delay. Otherwise the reads are taken at the block's one
 * delay, which is verified before and after. A browser that keeps read data in memory does not read it from the disk
 * again: every read of a cell then has its own launch.
 */
export async function takeBlock(sweep: SweepInProgress, block: SweepBlock): Promise<void> {
  const { point: site, pass } = block;
  const place = sweep.lab.place(site);
  const watched = site.points.flatMap((point) => missingConfirmations(sweep, point, pass));
  const reads = [
    ...wantedReads('timed', block.cells, pass),
    ...wantedReads('companion', watched, pass),
  ];
  const isCrossed = sweep.plan.crossed === true && site.storage !== 'none';
  if (isCrossed && reads.length > 0) await takeCrossed(sweep, place, reads);
  const others = isCrossed ? [] : reads;
  for (const point of site.points) await takeAtPoint(sweep, place, point, pass, others);
}

/** Takes reads at one delay, then the first loads that are missing there. */
async function takeAtPoint(
  sweep: SweepInProgress,
  place: PopulatedPlace,
  point: Point,
  pass: number,
  reads: readonly WantedRead[],
): Promise<void> {
  const apart = keepsPages(settingsAt(sweep.plan, point).diskCache);
  // First loads come last: they write to the cache, and the other reads do not.
  const loads = wantedReads('first load', missingFirstLoads(sweep, point, pass), pass);
  const queues = (
    apart ? [...onceInEach(reads, ({ cell }) => cellKey(cell)), loads] : [[...reads, ...loads]]
  ).filter(({ length }) => length > 0);
  if (queues.length === 0 || sweep.session.shouldStop()) return;
  await setPoint(place.disk, point);
  await proveAtPoint(sweep, place, point, { when: 'before', throughput: pass === 0 });
  for (const queue of queues) {
    if (sweep.session.shouldStop()) break;
    await withFreshBrowsers(
      (line) => sweep.session.warn(line),
      (attempt) => takeWithOneBrowser(sweep, place, queue, attempt),
    );
  }
  await proveAtPoint(sweep, place, point, { when: 'after', throughput: false });
}

async function proveAtPoint(
  sweep: SweepInProgress,
  { disk }: PopulatedPlace,
  point: Point,
  rest: Pick<ProofRequest, 'when' | 'throughput'>,
): Promise<void> {
  const open = await openDelayProof(disk);
  try {
    const request = { requestedDelayMs: point.delayMs, reads: proofReads, ...rest };
    await keepProof(sweep, open, point, request);
  } finally {
    open?.close();
  }
}

/** Verifies the delay of a point, or measures the latencies of its profile, with direct reads, and keeps the result. */
async function keepProof(
  { run, session }: SweepInProgress,
  open: OpenDelayProof | null,
  { delayMs, profile, variant }: Omit<Point, 'storage'>,
  request: ProofRequest,
): Promise<void> {
  const of = variant === undefined ? {} : { variant };
  if (profile !== undefined) {
    const times = () => Promise.resolve(open?.timesMs(profileLimitMs) ?? []);
    const timesMs = await undisturbed(session, times);
    const taken = { ...of, timesMs, takenAt: new Date().toISOString() };
    if (timesMs.length > 0) run.profileReads = [...(run.profileReads ?? []), taken];
    return;
  }
  if (open === null) return;
  const proof = await undisturbed(session, () => open.prove(request));
  run.proofs.push({ ...proof, ...of });
  if (!proof.off) return;
  const whose = variant === undefined ? '' : ` of ${variant}`;
  session.warn(
    `measured delay${whose}: ${proof.p50Ms.toFixed(2)} ms for a 4 KiB read; requested: ${delayMs} ms`,
  );
}

/** Takes reads at every delay in one launch; each delay is verified when it is set. */
async function takeCrossed(
  sweep: SweepInProgress,
  place: PopulatedPlace,
  reads: WantedRead[],
): Promise<void> {
  await withFreshBrowsers(
    (line) => sweep.session.warn(line),
    async (attempt) => {
      // The browser starts without a delay, which would only make the start slower.
      await place.disk.setDelay(0);
      await place.disk.setProfile?.(false);
      const open = await openDelayProof(place.disk);
      let set: string | null = null;
      try {
        await takeWithOneBrowser(sweep, place, reads, attempt, async ({ cell }) => {
          const wanted = `${cell.delayMs} ${cell.profile ?? ''}`;
          if (wanted === set) return;
          // The delay is unknown until it is verified.
          set = null;
          await place.disk.setBadReadRate?.(0);
          await setPoint(place.disk, cell);
          await keepProof(sweep, open, cell, shortProof(sweep, cell));
          set = wanted;
        });
      } finally {
        open?.close();
      }
    },
  );
}

/**
 * The direct reads that fit in `proofLimitMs`, at least one and at most `proofReads`. The throughput is measured once
 * per storage, variant and delay in a run.
 */
function shortProof({ run }: SweepInProgress, cell: Cell): ProofRequest {
  const { storage, variant, delayMs: requestedDelayMs } = cell;
  const throughput = !run.proofs.some(
    (proof) =>
      proof.storage === storage &&
      proof.variant === variant &&
      proof.requestedDelayMs === requestedDelayMs,
  );
  const affordable = Math.floor(proofLimitMs / (requestedDelayMs + 1));
  const reads = Math.max(1, Math.min(proofReads, affordable));
  return { requestedDelayMs, when: 'before', reads, throughput };
}

/** Takes the reads of a queue and removes each from it, so that a fresh browser continues where the last one stopped. */
async function takeWithOneBrowser(
  sweep: SweepInProgress,
  place: PopulatedPlace,
  queue: WantedRead[],
  attempt: number,
  beforeEach: (next: WantedRead) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const launch = sweep.launches++;
  const visit = await Visit.begin(sweep.lab, place, queue[0]?.cell.delayMs ?? 0);
  try {
    for (let next = queue[0]; next && !sweep.session.shouldStop(); next = queue[0]) {
      await beforeEach(next);
      // Device reads fail only while reads are timed: a browser that cannot read its index would start a new cache.
      await place.disk.setBadReadRate?.(sweep.plan.device?.badReadRate ?? 0);
      const sample = await takeOne(sweep, visit, next);
      await keep(sweep, sample, { launch, attempt, pass: next.pass });
      queue.shift();
    }
    await place.disk.setBadReadRate?.(0);
    await keepHistograms(sweep, visit, launch);
  } finally {
    try {
      await place.disk.setBadReadRate?.(0);
    } finally {
      await visit.end();
    }
  }
}

/** A failure to read the histograms loses one witness of the launch; its reads are still kept. */
async function keepHistograms(
  { run, session, plan }: SweepInProgress,
  visit: Visit,
  launch: number,
): Promise<void> {
  try {
    const told = {
      launch,
      ...(await visit.histograms({ badReads: plan.device?.badReadRate !== undefined })),
    };
    run.histograms = [...(run.histograms ?? []), told];
    // The launch's samples are on disk already: after a kill they would count without its flag.
    await session.save();
    for (const disagreement of told.disagreements)
      session.warn(`Launch ${launch} is flagged: ${disagreement}.`);
  } catch (error) {
    session.warn(`The histograms of launch ${launch} are unknown: ${messageOf(error)}.`);
  }
}

/** Takes one read; a first load is taken over the link of the run. */
async function takeOne(
  sweep: SweepInProgress,
  visit: Visit,
  { kind, cell }: WantedRead,
): Promise<TakenSample> {
  const { session } = sweep;
  const flagged = async (read: () => Promise<TakenSample>) => {
    const { result, flags } = await session.watched(read);
    return { ...result, flags: [...result.flags, ...flags] };
  };
  if (kind === 'timed') return flagged(() => visit.timedRead(cell));
  if (kind === 'companion') return flagged(() => visit.confirmationRead(cell));
  const load = () => flagged(() => visit.firstLoad(cell, nextSequence(sweep)));
  const { result, flags } = await session.link.proven(load);
  return { ...result, flags: [...result.flags, ...flags] };
}

function nextSequence({ samples }: SweepInProgress): number {
  return (samples.at(-1)?.sequence ?? -1) + 1;
}

async function keep(
  sweep: SweepInProgress,
  taken: TakenSample,
  where: Pick<Sample, 'launch' | 'attempt' | 'pass'>,
): Promise<void> {
  const sequence = nextSequence(sweep);
  const sample: Sample = { sequence, ...taken, ...where };
  await sweep.session.keep(sample);
  if (sample.kind !== 'timed') return;
  const { progress } = sweep.session;
  progress.result(resultSoFar(sweep.plan, sweep.samples));
  progress.advance(`${sample.cell.arm} at ${pointName(sample.cell)}`);
}
