import { createRandom } from '@cachescope/model/random.ts';
import { type DelayProof, schemaVersion } from '@cachescope/model/run-base.ts';
import { type Cell, cellKey, type Sample, type StorageKind } from '@cachescope/model/sample.ts';
import { cellsWithoutSamples, unconfirmedCompanions } from '@cachescope/model/soundness.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep-run.ts';
import { describeEnvironment } from '../environment/environment.ts';
import { messageOf } from '../error.ts';
import type { RunDirectory } from '../results/run-directory.ts';
import type { Interrupt } from '../runner/interrupt.ts';
import { type Lab, type LabOptions, openLab, type Place } from '../runner/lab.ts';
import type { Progress } from '../runner/progress.ts';
import { type Block, interleave } from '../runner/schedule.ts';
import { proveDelay } from '../storage/delay-proof.ts';
import { type TakenSample, Visit } from './visit.ts';

/** Direct reads that prove a delay, before and after each visit to a point. */
const proofReads = 8;
/** Tries of one visit, each with a fresh browser, after errors of the infrastructure. A slow read is no error. */
const maxAttempts = 3;

/** One storage at one delay. */
interface Point {
  storage: StorageKind;
  delayMs: number;
}

const control: Point = { storage: 'none', delayMs: 0 };

/** What a sweep works with, found and checked before it starts. */
export interface SweepBench extends Omit<LabOptions, 'arms' | 'storages' | 'delayWrites' | 'say'> {
  commandLine: string[];
  toolVersion: string;
  directory: RunDirectory;
  progress: Progress;
  interrupt: Interrupt;
}

/** A sweep in progress: the saved run, and the samples so far. */
interface Sweep {
  plan: SweepPlan;
  bench: SweepBench;
  lab: Lab;
  run: SweepRun;
  samples: Sample[];
  launches: number;
}

/** Number of samples that a plan takes, companions left out. */
export function plannedSamples(plan: SweepPlan): number {
  return (plan.delaysMs.length + 1) * plan.arms.length * plan.samplesPerCell;
}

function blocksOf(plan: SweepPlan): Block<Point, Cell>[] {
  return interleave<Point, Cell>({
    points: plan.delaysMs.map((delayMs) => ({ storage: plan.storage, delayMs })),
    first: control,
    cellsOf: (point) => plan.arms.map((arm) => ({ arm, ...point })),
    samplesPerCell: plan.samplesPerCell,
    passes: plan.launchesPerPoint,
    random: createRandom(plan.seed),
  });
}

/** A sweep that has ended, whole or in part. */
export interface SweepOutcome {
  run: SweepRun;
  samples: Sample[];
  /** What could not be undone afterwards; null when nothing is left behind. The samples are sound all the same. */
  cleanUpError: unknown;
}

/**
 * Measures cached reads of every arm at every point of the plan. Each sample is on disk before the next is taken, and
 * run.json always tells how far the run came.
 *
 * @throws CachescopeError when not even the preparation came to an end; after that the run ends `partial` instead.
 */
export async function runSweep(plan: SweepPlan, bench: SweepBench): Promise<SweepOutcome> {
  const resources = new AsyncDisposableStack();
  resources.defer(() => bench.directory.close());
  let taken: Pick<SweepOutcome, 'run' | 'samples'>;
  try {
    taken = await takeSweep(plan, bench, resources);
  } catch (error) {
    await resources.disposeAsync();
    throw error;
  }
  const cleanUpError = await resources.disposeAsync().then(
    () => null,
    (error: unknown) => error,
  );
  return { ...taken, cleanUpError };
}

async function takeSweep(
  plan: SweepPlan,
  bench: SweepBench,
  resources: AsyncDisposableStack,
): Promise<{ run: SweepRun; samples: Sample[] }> {
  const startedAt = new Date();
  const storages: StorageKind[] = plan.delaysMs.length === 0 ? ['none'] : ['none', plan.storage];
  const { arms, delayWrites } = plan;
  const say = (line: string) => bench.progress.step(line);
  const lab = await openLab({ ...bench, arms, storages, delayWrites, say }, resources);
  const run = await newRun(plan, bench, lab, startedAt);
  const sweep: Sweep = { plan, bench, lab, run, samples: [], launches: 0 };
  await measure(sweep);
  run.endedAt = new Date().toISOString();
  run.timeSpent = {
    totalMs: Date.now() - startedAt.getTime(),
    measuringMs: sweep.samples
      .filter((sample) => sample.kind === 'timed')
      .reduce((sum, sample) => sum + sample.readMs, 0),
  };
  await bench.directory.writeRun(run);
  return { run, samples: sweep.samples };
}

async function newRun(
  plan: SweepPlan,
  bench: SweepBench,
  lab: Lab,
  startedAt: Date,
): Promise<SweepRun> {
  const slow = lab.places.get(plan.storage) ?? lab.places.get('none');
  const run: SweepRun = {
    schemaVersion,
    tool: { name: 'cachescope', version: bench.toolVersion },
    experiment: 'sweep',
    status: 'running',
    startedAt: startedAt.toISOString(),
    commandLine: bench.commandLine,
    plan,
    environment: await describeEnvironment({
      chromium: lab.chromium,
      storage: slow?.disk.describe ?? 'unknown',
      timerStepMs: lab.timerStepMs,
    }),
    stored: slow?.stored ?? [],
    proofs: [],
    warnings: [],
  };
  await bench.directory.writeRun(run);
  return run;
}

async function measure(sweep: Sweep): Promise<void> {
  const { bench, run } = sweep;
  const blocks = blocksOf(sweep.plan);
  try {
    for (const [index, block] of blocks.entries()) {
      if (bench.interrupt.requested) break;
      bench.progress.step(`Visit ${index + 1} of ${blocks.length}: ${titleOf(block)}`);
      await visitPoint(sweep, block);
      await bench.directory.writeRun(run);
    }
    if (bench.interrupt.requested) endPartial(run, 'interrupted');
    else judge(sweep, blocks);
  } catch (error) {
    endPartial(run, messageOf(error));
  }
}

function endPartial(run: SweepRun, reason: string): void {
  run.status = 'partial';
  run.statusReason = reason;
}

/** A run is complete only when every cell of its plan is known. */
function judge({ run, samples }: Sweep, blocks: readonly Block<Point, Cell>[]): void {
  const unknown = cellsWithoutSamples(distinctCells(blocks), samples);
  const names = unknown.map(({ arm, storage, delayMs }) => `${arm} at ${delayMs} ms on ${storage}`);
  if (names.length > 0) endPartial(run, `no usable sample of ${names.join(', ')}`);
  else run.status = 'complete';
  const unconfirmed = unconfirmedCompanions(samples).length;
  if (unconfirmed > 0) {
    run.warnings.push(`${unconfirmed} companion reads did not confirm the disk cache as source.`);
  }
}

function distinctCells(blocks: readonly Block<Point, Cell>[]): Cell[] {
  const cells = blocks.flatMap((block) => block.cells);
  return [...new Map(cells.map((cell) => [cellKey(cell), cell])).values()];
}

/** Shown now, and kept for the readers of the result. */
function warn(sweep: Sweep, text: string): void {
  sweep.bench.progress.warn(text);
  sweep.run.warnings.push(text);
}

function titleOf(block: Block<Point, Cell>): string {
  const { storage, delayMs } = block.point;
  const point = storage === 'none' ? 'control, no slow device' : `read delay ${delayMs} ms`;
  return `${point}, launch ${block.pass + 1}, ${block.cells.length} reads`;
}

/** Proves the delay, takes the reads of one block with one browser launch, and proves the delay again. */
async function visitPoint(sweep: Sweep, block: Block<Point, Cell>): Promise<void> {
  const place = sweep.lab.places.get(block.point.storage);
  if (!place) throw new Error(`no storage ${block.point.storage} in this lab`);
  if (block.point.storage !== 'none') await place.disk.setDelay(block.point.delayMs);
  const isFirstPass = block.pass === 0;
  await prove(sweep, place, block.point, 'before', isFirstPass);
  const wanted: WantedRead[] = block.cells.map((cell) => ({ kind: 'timed', cell }));
  const isLastPass = block.pass === sweep.plan.launchesPerPoint - 1;
  if (isLastPass) {
    for (const arm of sweep.plan.arms)
      wanted.push({ kind: 'companion', cell: { arm, ...block.point } });
  }
  await takeReads(sweep, place, wanted);
  await prove(sweep, place, block.point, 'after', false);
}

async function prove(
  sweep: Sweep,
  { disk }: Place,
  point: Point,
  when: DelayProof['when'],
  throughput: boolean,
): Promise<void> {
  const wanted = { reads: proofReads, requestedDelayMs: point.delayMs, when, throughput };
  const proof = await proveDelay(disk, wanted);
  if (proof) sweep.run.proofs.push(proof);
  if (!proof?.off) return;
  warn(
    sweep,
    `the device took ${proof.p50Ms.toFixed(2)} ms for a 4 KiB read where ${point.delayMs} ms was asked for`,
  );
}

interface WantedRead {
  kind: Sample['kind'];
  cell: Cell;
}

/** Takes all reads of the queue; after an error goes on with a fresh browser where the last one stopped. */
async function takeReads(sweep: Sweep, place: Place, queue: WantedRead[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await takeWithOneBrowser(sweep, place, queue, attempt);
      return;
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      const reason = messageOf(error);
      warn(
        sweep,
        `try ${attempt} of ${maxAttempts} failed (${reason}); trying again with a fresh browser`,
      );
    }
  }
}

async function takeWithOneBrowser(
  sweep: Sweep,
  place: Place,
  queue: WantedRead[],
  attempt: number,
): Promise<void> {
  const launch = sweep.launches++;
  const visit = await Visit.begin(sweep.lab, place);
  try {
    for (let next = queue[0]; next && !sweep.bench.interrupt.requested; next = queue[0]) {
      const taken =
        next.kind === 'timed'
          ? await visit.timedRead(next.cell)
          : await visit.companionRead(next.cell);
      await keep(sweep, taken, launch, attempt);
      queue.shift();
    }
  } finally {
    await visit.end();
  }
}

async function keep(
  sweep: Sweep,
  taken: TakenSample,
  launch: number,
  attempt: number,
): Promise<void> {
  const sample: Sample = { sequence: sweep.samples.length, ...taken, launch, attempt };
  await sweep.bench.directory.append(sample);
  sweep.samples.push(sample);
  if (sample.kind === 'timed')
    sweep.bench.progress.advance(`${sample.cell.arm} at ${sample.cell.delayMs} ms`);
}
