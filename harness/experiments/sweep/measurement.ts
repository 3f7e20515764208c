import { cellKey, isUnconfirmed, usable } from '@cachescope/model/run/sample.ts';
import { greatest } from '@cachescope/model/extremes.ts';
import type { Coding } from '@cachescope/model/coding.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { withHistogramFlags } from '@cachescope/model/run/cache-histograms.ts';
import { missingCells } from '@cachescope/model/run/cell.ts';
import {
  recompressed,
  type Recompression,
  recompressionOf,
} from '@cachescope/model/sweep/recompressed.ts';
import type { CodingCost, SweepPlan, SweepRun } from '@cachescope/model/sweep/run.ts';
import { armsIn } from '@cachescope/model/sweep/series.ts';
import { withheldWarnings } from '@cachescope/model/features/variant-pair.ts';
import { variantPairsOf } from '@cachescope/model/sweep/variant-pairs.ts';
import { delayRounding, kernelTickMs } from '../../environment/delay-rounding.ts';
import { machineFiles } from '../../environment/machine-files.ts';
import { type Lab, openLab, type Site } from '../../lab/lab.ts';
import { codingCosts } from '../explain/coding-cost.ts';
import { type SweepBlock, type SweepInProgress, type SweepSession, takeBlock } from './block.ts';
import { nextBlocks } from './next-blocks.ts';
import { stepAfter } from './next-step.ts';
import { plannedProfile } from '../../storage/latency-profile.ts';
import { environmentOf, placesOf } from './places.ts';
import { cellsOf, controlsOf, pointName, settingsAt, slowSitesOf } from './points.ts';
import { takeTraces } from './traces.ts';

/**
 * Measures cached reads of every arm at every point of the plan, then takes its traced reads. Returns the cells without
 * a usable sample as text; null: there are none, or the run was stopped.
 */
export async function measureSweep(session: SweepSession): Promise<string | null> {
  const sweep = await beginSweep(session);
  try {
    await takePasses(sweep);
    if (!session.shouldStop()) await takeTraces(sweep);
  } finally {
    const rounding = delayRounding(session.run.proofs, kernelTickMs(machineFiles()));
    if (rounding !== null) session.warn(rounding);
  }
  return session.shouldStop() ? null : lacking(sweep);
}

async function beginSweep(session: SweepSession): Promise<SweepInProgress> {
  const { found, lines: samples, beside: traced, progress, resources } = session;
  const { workloads, chromiumPath } = found;
  const { delayWrites, slow, device, profile, state, headful = false } = found.plan;
  const { privilege, extensionDirectory } = session;
  const say = (line: string) => progress.status(line);
  // Controls come first, so that problems of the browser or the workload appear before a device is created.
  const sites = [...controlsOf(found.plan), ...slowSitesOf({ ...found.plan, crossed: true })];
  const settingsOf = (site: Site) => settingsAt(found.plan, site);
  const browser = { chromiumPath, extensionDirectory, headful, privilege, delayWrites };
  const disk = { ...device, profile: plannedProfile(profile) };
  const armsAt = ({ variant }: Site, arms: readonly Coding[]) =>
    armsIn(arms, variant === recompressed.name ? recompressed : undefined);
  const places = { sites, settingsOf, armsAt, slow, device: disk, state };
  const lab = await openLab(
    { ...browser, ...places, workloads, link: session.link, say },
    resources,
  );
  const { plan, ...what } = recompressionIn(found.plan, lab);
  const run = await session.begin(environmentOf(plan, lab), {
    plan,
    ...placesOf(plan, lab),
    ...what,
  });
  for (const warning of [...lab.warnings, ...withheldWarnings(variantPairsOf(run))])
    session.warn(warning);
  if (what.recompression && !what.recompression.works)
    session.warn(withoutRecompression(what.recompression));
  const launches = greatest([-1, ...samples.map(({ launch }) => launch)]) + 1;
  if (plan.explain && !run.codingCosts) {
    say('Measuring the processor time of each coding');
    const costs: CodingCost[] = [];
    for (const { workload, planned } of workloads)
      if (planned.dictionaryBytes > 0) costs.push(...(await codingCosts(workload)));
    run.codingCosts = costs;
    await session.save();
  }
  return { plan, session, lab, run, samples, traced, launches };
}

/**
 * Whether the populated caches show recompression, and the plan to run: without recompression when the browser lacks
 * it.
 */
function recompressionIn(
  plan: SweepPlan,
  { places }: Lab,
): Pick<SweepRun, 'plan' | 'recompression'> {
  if (!plan.recompress) return { plan };
  const { recompress: _, ...without } = plan;
  const recompression = recompressionOf(places.flatMap(({ stored }) => stored));
  if (!recompression) return { plan: without };
  return { plan: recompression.works ? plan : without, recompression };
}

function withoutRecompression({ storedBytes, decodedBytes }: Recompression): string {
  const stored = storedBytes === null ? 'an unknown number of bytes' : byteSize(storedBytes);
  return `This browser does not recompress: with ${recompressed.enabledFeatures.join(' and ')} it stored ${byteSize(decodedBytes)} in ${stored}, so the series "recompressed" is left out.`;
}

async function takePasses(sweep: SweepInProgress): Promise<void> {
  const { session, run } = sweep;
  while (!session.shouldStop()) {
    const step = stepAfter(sweep, session.elapsedMs());
    if (step.looks.length > 0) {
      run.looks = [...step.looks];
      // A look spends a part of the significance level, which a killed run must not spend again.
      await session.save();
    }
    if (step.action === 'stop' && step.reason !== null)
      run.stopped = { reason: step.reason, looks: [...step.looks] };
    const blocks = nextBlocks(sweep, step);
    if (step.action === 'stop' && blocks.length === 0) return;
    session.progress.expect(blocks.reduce((sum, { cells }) => sum + cells.length, 0));
    await takePass(sweep, blocks);
  }
}

async function takePass(sweep: SweepInProgress, blocks: readonly SweepBlock[]): Promise<void> {
  for (const [index, block] of blocks.entries()) {
    if (sweep.session.shouldStop()) return;
    sweep.session.progress.status(
      `Pass ${block.pass + 1}, visit ${index + 1} of ${blocks.length}: ${titleOf(block)}`,
    );
    await takeBlock(sweep, block);
    await sweep.session.save();
  }
}

function titleOf({ point: { storage, variant, points }, cells }: SweepBlock): string {
  const [first] = points;
  const delays =
    first && points.length === 1
      ? `read delay ${pointName(first)}`
      : `${points.length} read delays`;
  const where = storage === 'none' ? 'control, no slow device' : delays;
  return [where, ...(variant === undefined ? [] : [variant]), `${cells.length} reads`].join(', ');
}

/** A run is complete only when every cell of its plan has a usable sample. */
function lacking({ plan, session, run, samples: taken }: SweepInProgress): string | null {
  const samples = withHistogramFlags(taken, run.histograms);
  const unconfirmed = samples.filter(isUnconfirmed).length;
  if (unconfirmed > 0)
    session.warn(`${unconfirmed} confirmation reads did not confirm the disk cache as source.`);
  const unknown = missingCells(cellsOf(plan), usable(samples), cellKey);
  if (unknown.length === 0) return null;
  const names = unknown.map(
    ({ variant, ...cell }) =>
      `${cell.arm} at ${pointName(cell)} on ${cell.storage}${variant === undefined ? '' : ` with ${variant}`}`,
  );
  return `no usable sample of ${names.join(', ')}`;
}
