import type { DelayProof } from '@cachescope/model/run/base.ts';
import { type Cell, cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import type { FilledPlace, Lab } from '../../lab/lab.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { type Block, onceInEach } from '../../lab/schedule.ts';
import { messageOf } from '../../error.ts';
import { openDelayProof, type ProofRequest, proveDelay } from '../../storage/delay-proof.ts';
import type { Found } from '../experiment.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import type { SweptWorkload } from './swept-workloads.ts';
import { cellsAt, type LaunchSite, type Point, settingsAt } from './points.ts';
import { resultSoFar } from './so-far.ts';
import { type TakenSample, Visit } from './visit.ts';

/** What a sweep was planned as. */
export interface SweepPlanned {
  plan: SweepPlan;
  workloads: readonly SweptWorkload[];
}

/** What a sweep measures with. */
export type SweepSession = RunSession<SweepRun, Sample, SweepPlanned & Found, TracedRead>;

/** Direct reads that prove a delay, before and after each visit to a point. */
const proofReads = 8;
/** What the proof of a delay that changes within a launch may take, ms. */
const proofLimitMs = 36;

/** One launch of a sweep. */
export type SweepBlock = Block<LaunchSite, Cell>;

/** A sweep in progress: its session, and what was measured so far. */
export interface SweepInProgress {
  plan: SweepPlan;
  session: SweepSession;
  lab: Lab;
  run: SweepRun;
  samples: readonly Sample[];
  /** One traced read a cell, those that are taken. */
  traced: readonly TracedRead[];
  /** Browser launches so far: the number of the next. */
  launches: number;
}

interface WantedRead {
  kind: Sample['kind'];
  cell: Cell;
  pass: number;
}

/** The companions that a point still lacks, once the last pass of those that every cell is promised has come. */
export function missingCompanions(
  { plan, samples }: Pick<SweepInProgress, 'plan' | 'samples'>,
  point: Point,
  pass: number,
): Cell[] {
  if (pass !== plan.launchesPerPoint - 1) return [];
  const companions = samples.filter(({ kind }) => kind === 'companion');
  const known = new Set(companions.map(({ cell }) => cellKey(cell)));
  return cellsAt(plan, point).filter((cell) => !known.has(cellKey(cell)));
}

/**
 * Takes the reads of one block with one browser launch, where its delays can change under it; otherwise at the one delay of
 * the block, proved before and after. A browser that keeps what it read has nothing to read again: of it, every read of a
 * cell has a launch of its own.
 */
export async function takeBlock(sweep: SweepInProgress, block: SweepBlock): Promise<void> {
  const { point: site, pass } = block;
  const place = sweep.lab.place(site);
  const timed = block.cells.map((cell) => ({ kind: 'timed' as const, cell, pass }));
  const watched = site.points
    .flatMap((point) => missingCompanions(sweep, point, pass))
    .map((cell) => ({ kind: 'companion' as const, cell, pass }));
  const reads = [...timed, ...watched];
  if (sweep.plan.crossed && site.storage !== 'none') return takeCrossed(sweep, place, reads);
  for (const point of site.points) await takeAtPoint(sweep, place, point, pass, reads);
}

async function takeAtPoint(
  sweep: SweepInProgress,
  place: FilledPlace,
  point: Point,
  pass: number,
  reads: readonly WantedRead[],
): Promise<void> {
  if (point.storage !== 'none') await place.disk.setDelay(point.delayMs);
  const request = { requestedDelayMs: point.delayMs, reads: proofReads };
  const proof = await proveDelay(place.disk, {
    ...request,
    when: 'before',
    throughput: pass === 0,
  });
  keepProof(sweep, proof, point);
  const apart = keepsPages(settingsAt(sweep.plan, point).diskCache);
  // Last: they write to the cache, and the others only read.
  const loads = missingFirstLoads(sweep, point, pass).map((cell) => ({
    kind: 'first load' as const,
    cell,
    pass,
  }));
  const queues = apart
    ? [...onceInEach(reads, ({ cell }) => cellKey(cell)), loads]
    : [[...reads, ...loads]];
  for (const queue of queues.filter(({ length }) => length > 0)) {
    if (sweep.session.shouldStop()) break;
    await takeReads(sweep, place, queue);
  }
  const after = await proveDelay(place.disk, { ...request, when: 'after', throughput: false });
  keepProof(sweep, after, point);
}

/** One launch that reads at every delay; each is proved when it was set. */
async function takeCrossed(
  sweep: SweepInProgress,
  place: FilledPlace,
  reads: WantedRead[],
): Promise<void> {
  await withFreshBrowsers(
    (line) => sweep.session.warn(line),
    async (attempt) => {
      // At no delay: a slow start would only take time.
      await place.disk.setDelay(0);
      const open = await openDelayProof(place.disk);
      let delayMs: number | null = null;
      try {
        await takeWithOneBrowser(sweep, place, reads, attempt, async ({ cell }) => {
          if (cell.delayMs === delayMs) return;
          // Unknown until it is proved.
          delayMs = null;
          await place.disk.setBadReadRate?.(0);
          await place.disk.setDelay(cell.delayMs);
          const proof = await open?.prove(shortProof(sweep, cell));
          keepProof(sweep, proof ?? null, cell);
          delayMs = cell.delayMs;
        });
      } finally {
        open?.close();
      }
    },
  );
}

/** As many direct reads as a change of delay may cost; one where one costs more. The throughput once in a run. */
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

function keepProof(
  { run, session }: SweepInProgress,
  proof: DelayProof | null,
  { delayMs, variant }: Pick<Cell, 'delayMs' | 'variant'>,
): void {
  const of = variant === undefined ? {} : { variant };
  if (proof) run.proofs.push({ ...proof, ...of });
  if (!proof?.off) return;
  const whose = variant === undefined ? '' : ` of ${variant}`;
  session.warn(
    `measured delay${whose}: ${proof.p50Ms.toFixed(2)} ms for a 4 KiB read; requested: ${delayMs} ms`,
  );
}

/** Takes all reads of the queue; after an error goes on with a fresh browser where the last one stopped. */
async function takeReads(
  sweep: SweepInProgress,
  place: FilledPlace,
  queue: WantedRead[],
): Promise<void> {
  await withFreshBrowsers(
    (line) => sweep.session.warn(line),
    (attempt) => takeWithOneBrowser(sweep, place, queue, attempt),
  );
}

async function takeWithOneBrowser(
  sweep: SweepInProgress,
  place: FilledPlace,
  queue: WantedRead[],
  attempt: number,
  beforeEach: (next: WantedRead) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const launch = sweep.launches++;
  const visit = await Visit.begin(sweep.lab, place, queue[0]?.cell.delayMs ?? 0);
  try {
    for (let next = queue[0]; next && !sweep.session.shouldStop(); next = queue[0]) {
      await beforeEach(next);
      // Only while reads are timed: a browser that could not read its index would begin a new cache.
      await place.disk.setBadReadRate?.(sweep.plan.device?.badReadRate ?? 0);
      const taken = await takeOne(visit, next, nextSequence(sweep));
      await keep(sweep, taken, { launch, attempt, pass: next.pass });
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

/** Without them a launch has one witness less, which is no reason to take its reads again. */
async function keepHistograms(
  { run, session }: SweepInProgress,
  visit: Visit,
  launch: number,
): Promise<void> {
  try {
    const told = { launch, ...(await visit.histograms()) };
    run.histograms = [...(run.histograms ?? []), told];
    for (const disagreement of told.disagreements)
      session.warn(`Launch ${launch} is flagged: ${disagreement}.`);
  } catch (error) {
    session.warn(`The histograms of launch ${launch} are unknown: ${messageOf(error)}.`);
  }
}

function takeOne(visit: Visit, { kind, cell }: WantedRead, sequence: number): Promise<TakenSample> {
  if (kind === 'first load') return visit.firstLoad(cell, sequence);
  return kind === 'timed' ? visit.timedRead(cell) : visit.companionRead(cell);
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
  progress.advance(`${sample.cell.arm} at ${sample.cell.delayMs} ms`);
}
