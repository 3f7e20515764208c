import type { DelayProof } from '@cachescope/model/run/base.ts';
import { type Cell, cellKey, type Sample } from '@cachescope/model/run/sample.ts';
import type { TracedRead } from '@cachescope/model/explain/traced-read.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import { withFreshBrowsers } from '../../lab/attempts.ts';
import type { FilledPlace, Lab } from '../../lab/lab.ts';
import type { RunSession } from '../../lab/run-session.ts';
import { type Block, onceInEach } from '../../lab/schedule.ts';
import { proveDelay } from '../../storage/delay-proof.ts';
import type { Found } from '../experiment.ts';
import { missingFirstLoads } from '../explain/first-loads.ts';
import type { SweptWorkload } from './swept-workloads.ts';
import { cellsAt, type Point, settingsAt } from './points.ts';
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
 * Proves the delay, takes the reads of one block with one browser launch, and proves the delay again. A browser that keeps
 * what it read has nothing to read again: of it, every read of a cell has a launch of its own.
 */
export async function takeBlock(sweep: SweepInProgress, block: Block<Point, Cell>): Promise<void> {
  const { point, pass } = block;
  const place = sweep.lab.place(point);
  if (point.storage !== 'none') await place.disk.setDelay(point.delayMs);
  await prove(sweep, place, point, 'before', pass === 0);
  const companions = missingCompanions(sweep, point, pass);
  const timed = block.cells.map((cell) => ({ kind: 'timed' as const, cell, pass }));
  const watched = companions.map((cell) => ({ kind: 'companion' as const, cell, pass }));
  const apart = keepsPages(settingsAt(sweep.plan, point).diskCache);
  // Last: they write to the cache, and the others only read.
  const loads = missingFirstLoads(sweep, point, pass).map((cell) => ({
    kind: 'first load' as const,
    cell,
    pass,
  }));
  const reads = [...timed, ...watched];
  const queues = apart
    ? [...onceInEach(reads, ({ cell }) => cellKey(cell)), loads]
    : [[...reads, ...loads]];
  for (const queue of queues.filter(({ length }) => length > 0)) {
    if (sweep.session.shouldStop()) break;
    await takeReads(sweep, place, queue);
  }
  await prove(sweep, place, point, 'after', false);
}

async function prove(
  sweep: SweepInProgress,
  { disk }: FilledPlace,
  point: Point,
  when: DelayProof['when'],
  throughput: boolean,
): Promise<void> {
  const wanted = { reads: proofReads, requestedDelayMs: point.delayMs, when, throughput };
  const proof = await proveDelay(disk, wanted);
  const { variant } = point;
  const of = variant === undefined ? {} : { variant };
  if (proof) sweep.run.proofs.push({ ...proof, ...of });
  if (!proof?.off) return;
  const whose = variant === undefined ? '' : ` of ${variant}`;
  sweep.session.warn(
    `the device${whose} took ${proof.p50Ms.toFixed(2)} ms for a 4 KiB read where ${point.delayMs} ms was asked for`,
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
): Promise<void> {
  const launch = sweep.launches++;
  const visit = await Visit.begin(sweep.lab, place, queue[0]?.cell.delayMs ?? 0);
  try {
    // Only while reads are timed: a browser that could not read its index would begin a new cache.
    await place.disk.setBadReadRate?.(sweep.plan.device?.badReadRate ?? 0);
    for (let next = queue[0]; next && !sweep.session.shouldStop(); next = queue[0]) {
      const taken = await takeOne(visit, next, nextSequence(sweep));
      await keep(sweep, taken, { launch, attempt, pass: next.pass });
      queue.shift();
    }
  } finally {
    try {
      await place.disk.setBadReadRate?.(0);
    } finally {
      await visit.end();
    }
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
  if (sample.kind === 'timed')
    sweep.session.progress.advance(`${sample.cell.arm} at ${sample.cell.delayMs} ms`);
}
