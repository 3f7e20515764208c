import type { StorageKind } from '@cachescope/model/sample.ts';
import type { SweepPlan } from '@cachescope/model/sweep-run.ts';
import type { SweepOptions } from './sweep-options.ts';
import type { SweptWorkload } from './swept-workloads.ts';

/** The plan of a command line, with its workloads read and its storage chosen. */
export function planOf(
  options: SweepOptions,
  workloads: readonly [SweptWorkload, ...SweptWorkload[]],
  storage: StorageKind,
): SweepPlan {
  const { settings, variants, slow, device, stopRule, firstLoads } = options;
  return {
    arms: options.arms,
    // Without a slow device there is nothing to delay: only the control is left.
    delaysMs: storage === 'none' ? [] : options.delaysMs,
    storage,
    delayWrites: options.delayWrites,
    samplesPerCell: options.samplesPerCell,
    launchesPerPoint: Math.min(options.launchesPerPoint, options.samplesPerCell),
    seed: options.seed,
    ...(options.headful && { headful: true }),
    ...(settings && { settings }),
    ...(variants && { variants }),
    ...(slow && { slow }),
    ...(device && { device }),
    ...(stopRule && { stopRule }),
    ...(firstLoads && { firstLoads }),
    ...(options.traces && { traces: options.traces }),
    ...(options.explain && { explain: true }),
    ...(options.disks && { disks: options.disks }),
    workload: workloads[0].planned,
    ...(workloads.length > 1 && { workloads: workloads.map(({ planned }) => planned) }),
  };
}
