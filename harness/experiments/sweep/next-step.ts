import { withHistogramFlags } from '@cachescope/model/run/cache-histograms.ts';
import { cellKey, usable } from '@cachescope/model/run/sample.ts';
import { nextStep, type NextStep } from '../../lab/sampling.ts';
import type { SweepInProgress } from './block.ts';
import { cellsOf, pairsOf } from './points.ts';

/**
 * The next step of a sweep after what it has taken. Reads of a launch whose histograms disagree are not usable: the
 * results exclude them, so they bring the run no nearer to the precision that was asked for.
 *
 * @param elapsedMs time that the run has taken, ms.
 */
export function stepAfter(
  { plan, run, samples }: Pick<SweepInProgress, 'plan' | 'run' | 'samples'>,
  elapsedMs: number,
): NextStep {
  const flagged = withHistogramFlags(samples, run.histograms);
  const sound = new Set(usable(flagged));
  const taken = flagged
    .filter(({ kind }) => kind === 'timed')
    .map((sample) => ({
      cell: cellKey(sample.cell),
      pass: sample.pass,
      reading: sound.has(sample) ? { value: sample.readMs, launch: sample.launch } : null,
      flags: sample.flags,
    }));
  const wanted = {
    cells: cellsOf(plan).map(cellKey),
    pairs: pairsOf(plan),
    samplesPerCell: plan.samplesPerCell,
    launches: plan.launchesPerPoint,
    // The stop rule decides once: a second decision, for example after a resume, would be at another level.
    stopRule: run.stopped ? undefined : plan.stopRule,
  };
  const step = nextStep(wanted, { taken, elapsedMs, looks: run.looks ?? [] });
  return step.action === 'stop' ? { ...step, ...run.stopped } : step;
}
