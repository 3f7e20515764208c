import { createRandom } from '@cachescope/model/random.ts';
import { type Cell, cellKey, type Sample, usable } from '@cachescope/model/sample.ts';
import { cellsWithoutSamples, unconfirmedCompanions } from '@cachescope/model/soundness.ts';
import type { TracedRead } from '@cachescope/model/traced-read.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep-run.ts';
import { delayRounding } from '../environment/delay-rounding.ts';
import { kernelTickMs } from '../environment/kernel-tick.ts';
import { machineFiles } from '../environment/machine-files.ts';
import { type MachineWatch, noteMachine } from '../environment/machine-watch.ts';
import { messageOf } from '../error.ts';
import { type LabOptions, openLab } from '../runner/lab.ts';
import { withCleanUp } from '../runner/clean-up.ts';
import { endPartial } from '../runner/run-record.ts';
import { nextStep, type NextStep } from '../runner/sampling.ts';
import { type Block, interleave } from '../runner/schedule.ts';
import { codingCosts } from './coding-cost.ts';
import { missingFirstLoads } from './first-loads.ts';
import { missingCompanions, type SweepInProgress, takeBlock } from './sweep-block.ts';
import { newRun, takenUp } from './sweep-head.ts';
import {
  cellsAt,
  cellsOf,
  controlsOf,
  pairsOf,
  type Point,
  settingsAt,
  slowPointsOf,
} from './sweep-points.ts';
import { takeTraces } from './sweep-traces.ts';
import type { SavedSweep } from './sweep-resume.ts';

/** What a sweep works with, found and checked before it starts. */
export interface SweepBench
  extends
    Omit<LabOptions, 'sites' | 'settingsOf' | 'say' | 'delayWrites' | 'slow' | 'device'>,
    Pick<SweepInProgress, 'directory' | 'progress' | 'interrupt'> {
  commandLine: string[];
  toolVersion: string;
  machine: MachineWatch;
  /** A run to be taken up again; absent for a new one. */
  saved?: SavedSweep | undefined;
}

/** A sweep that has ended, whole or in part. */
export interface SweepOutcome {
  run: SweepRun;
  samples: Sample[];
  traced: TracedRead[];
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
  return withCleanUp(bench.directory, (resources) => takeSweep(plan, bench, resources));
}

async function takeSweep(
  plan: SweepPlan,
  bench: SweepBench,
  resources: AsyncDisposableStack,
): Promise<Omit<SweepOutcome, 'cleanUpError'>> {
  const { directory, progress, interrupt, saved } = bench;
  const startedAt = Date.now();
  const { delayWrites, slow, device } = plan;
  const say = (line: string) => progress.step(line);
  // Controls first, so that what is wrong with browser or workload is known before a device is made.
  const points = [...controlsOf(plan), ...(slowPointsOf(plan).length > 0 ? slowSites(plan) : [])];
  const sites = points.map(({ storage, variant }) => ({ storage, variant }));
  const settingsOf = ({ variant }: { variant?: string | undefined }) =>
    settingsAt(plan, variant === undefined ? {} : { variant });
  const found = { ...bench, sites, settingsOf, delayWrites, slow, device, say };
  const lab = await openLab(found, resources);
  const fresh = await newRun(plan, bench, lab, new Date(startedAt));
  const run = saved ? takenUp(saved, fresh) : fresh;
  const samples = [...(saved?.samples ?? [])];
  const traced = [...(saved?.traced ?? [])];
  const launches = Math.max(-1, ...samples.map(({ launch }) => launch)) + 1;
  if (plan.explain && !run.codingCosts) {
    progress.step('Timing what each coding costs the processor');
    const own = bench.workloads.filter(({ workload }) => workload.dictionary.byteLength > 0);
    const costs = [];
    for (const { workload } of own) costs.push(...(await codingCosts(workload)));
    run.codingCosts = costs;
  }
  await directory.writeRun(run);
  const sweep = { plan, directory, progress, interrupt, lab, run, samples, traced, launches };
  const alreadyMs = run.timeSpent?.totalMs ?? 0;
  const elapsedMs = () => alreadyMs + Date.now() - startedAt;
  await measure(sweep, elapsedMs);
  const rounding = delayRounding(run.proofs, kernelTickMs(machineFiles()));
  if (rounding !== null) run.warnings.push(rounding);
  await noteMachine(run, bench.machine);
  run.endedAt = new Date().toISOString();
  noteTime(run, samples, elapsedMs());
  await saveEnded(sweep);
  return { run, samples, traced };
}

/** On a full disk run.json keeps its last state; the samples are on the disk all the same. */
async function saveEnded({ directory, run, progress }: SweepInProgress): Promise<void> {
  try {
    await directory.writeRun(run);
  } catch (error) {
    progress.warn(`run.json could not be brought up to date (${messageOf(error)})`);
    endPartial(run, run.statusReason ?? messageOf(error));
  }
}

/** One point a slow place: where the delay is, does not matter here. */
function slowSites(plan: SweepPlan): Point[] {
  const [delayMs] = plan.delaysMs;
  return slowPointsOf(plan).filter((point) => point.delayMs === delayMs);
}

function noteTime(run: SweepRun, samples: readonly Sample[], totalMs: number): void {
  run.timeSpent = {
    totalMs,
    measuringMs: samples
      .filter((sample) => sample.kind === 'timed')
      .reduce((sum, sample) => sum + sample.readMs, 0),
  };
}

async function measure(sweep: SweepInProgress, elapsedMs: () => number): Promise<void> {
  const { interrupt, run, progress, samples } = sweep;
  try {
    while (!interrupt.requested) {
      const step = stepOf(sweep, run.looks ?? [], elapsedMs());
      if (step.looks.length > 0) run.looks = [...step.looks];
      const blocks = blocksOf(sweep, step);
      if (step.action === 'stop' && blocks.length === 0) {
        if (step.reason !== null) run.stopped = { reason: step.reason, looks: [...step.looks] };
        break;
      }
      progress.expect(wantedIn(blocks));
      await takePass(sweep, blocks);
      noteTime(run, samples, elapsedMs());
    }
    if (!interrupt.requested) await takeTraces(sweep);
    if (interrupt.requested) endPartial(run, 'interrupted');
    else judge(sweep);
  } catch (error) {
    endPartial(run, messageOf(error));
  }
}

function stepOf(
  { plan, samples }: SweepInProgress,
  looks: readonly number[],
  elapsedMs: number,
): NextStep {
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const sound = new Set(usable(samples));
  const taken = timed.map((sample) => ({
    cell: cellKey(sample.cell),
    pass: sample.pass,
    reading: sound.has(sample) ? { value: sample.readMs, launch: sample.launch } : null,
  }));
  const wanted = {
    cells: cellsOf(plan).map(cellKey),
    pairs: pairsOf(plan),
    samplesPerCell: plan.samplesPerCell,
    launches: plan.launchesPerPoint,
    stopRule: plan.stopRule,
    seed: plan.seed,
  };
  return nextStep(wanted, { taken, elapsedMs, looks });
}

/** The blocks of one pass; at the end, those of points that lack a companion only. */
function blocksOf(sweep: SweepInProgress, step: NextStep): Block<Point, Cell>[] {
  const { plan } = sweep;
  const pass = step.action === 'take' ? step.pass : plan.launchesPerPoint - 1;
  const samples = step.action === 'take' ? step.samples : new Map<string, number>();
  const blocks = interleave<Point, Cell>({
    pass,
    first: controlsOf(plan),
    points: slowPointsOf(plan),
    wantedAt: (point) =>
      cellsAt(plan, point).map((cell) => ({ cell, samples: samples.get(cellKey(cell)) ?? 0 })),
    // Of its own for each pass, so that an interrupted run goes on as it would have.
    random: createRandom(plan.seed + pass),
  });
  return blocks.filter(
    ({ point, cells }) =>
      cells.length > 0 ||
      missingCompanions(sweep, point, pass).length > 0 ||
      missingFirstLoads(sweep, point, pass).length > 0,
  );
}

function wantedIn(blocks: readonly Block<Point, Cell>[]): number {
  return blocks.reduce((sum, { cells }) => sum + cells.length, 0);
}

async function takePass(
  sweep: SweepInProgress,
  blocks: readonly Block<Point, Cell>[],
): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    if (sweep.interrupt.requested) return;
    sweep.progress.step(
      `Pass ${block.pass + 1}, visit ${index + 1} of ${blocks.length}: ${titleOf(block)}`,
    );
    await takeBlock(sweep, block);
    await sweep.directory.writeRun(sweep.run);
  }
}

function titleOf({ point, cells }: Block<Point, Cell>): string {
  const { storage, delayMs, variant } = point;
  const where = storage === 'none' ? 'control, no slow device' : `read delay ${delayMs} ms`;
  return [where, ...(variant === undefined ? [] : [variant]), `${cells.length} reads`].join(', ');
}

/** A run is complete only when every cell of its plan is known. */
function judge({ plan, run, samples }: SweepInProgress): void {
  const unknown = cellsWithoutSamples(cellsOf(plan), samples);
  const names = unknown.map(
    ({ arm, storage, delayMs, variant }) =>
      `${arm} at ${delayMs} ms on ${storage}${variant === undefined ? '' : ` with ${variant}`}`,
  );
  if (names.length > 0) endPartial(run, `no usable sample of ${names.join(', ')}`);
  else run.status = 'complete';
  const unconfirmed = unconfirmedCompanions(samples).length;
  if (unconfirmed > 0) {
    run.warnings.push(`${unconfirmed} companion reads did not confirm the disk cache as source.`);
  }
}
