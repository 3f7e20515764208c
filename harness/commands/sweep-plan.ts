import { resolve } from 'node:path';
import type { StorageKind } from '@cachescope/model/sample.ts';
import type { SweepPlan } from '@cachescope/model/sweep-run.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { userWorkload } from '@cachescope/origin/workloads/user-pair.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import type { SweepOptions } from './sweep-options.ts';

/** The workload that a command line names. */
export async function workloadOf({ workload }: Pick<SweepOptions, 'workload'>): Promise<Workload> {
  if ('name' in workload) return findWorkload(workload.name);
  return userWorkload(workload.dictionary, workload.resource);
}

/** The workload of a saved plan. */
export async function savedWorkload({ workload }: SweepPlan): Promise<Workload> {
  const { files, name } = workload;
  return workloadOf({ workload: files ?? { name } });
}

/** The plan of a command line, with its workload read and its storage chosen. */
export function planOf(options: SweepOptions, workload: Workload, storage: StorageKind): SweepPlan {
  const { settings, variants, slow, device, stopRule } = options;
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
    workload: {
      name: workload.name,
      title: workload.title,
      resourceBytes: workload.resource.byteLength,
      resourceSha256: workload.resourceSha256,
      dictionaryBytes: workload.dictionary.byteLength,
      ...('dictionary' in options.workload && {
        files: {
          dictionary: resolve(options.workload.dictionary),
          resource: resolve(options.workload.resource),
        },
      }),
    },
  };
}
