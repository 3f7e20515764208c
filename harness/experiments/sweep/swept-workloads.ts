import { resolve } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import type { PlannedWorkload, SweepPlan } from '@cachescope/model/sweep/run.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { userWorkload } from '@cachescope/origin/workloads/user-pair.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import type { CachedWorkload } from '../../browser/populate.ts';
import type { WorkloadChoice } from '../../options/workload-reading.ts';

/** A workload that a sweep reads, and its description in the plan. */
export interface SweptWorkload extends CachedWorkload {
  planned: PlannedWorkload;
}

async function found(choice: WorkloadChoice, arms: readonly Coding[]): Promise<SweptWorkload> {
  const own = 'dictionary' in choice;
  const workload = own
    ? await userWorkload(choice.dictionary, choice.resource)
    : await findWorkload(choice.name);
  const files = own && {
    files: { dictionary: resolve(choice.dictionary), resource: resolve(choice.resource) },
  };
  return { workload, arms, planned: { ...describe(workload), ...files } };
}

function describe(workload: Workload): PlannedWorkload {
  const { name, title, resource, resourceSha256, dictionary } = workload;
  return {
    name,
    title,
    resourceBytes: resource.byteLength,
    resourceSha256,
    dictionaryBytes: dictionary.byteLength,
  };
}

/** The workloads of a command line. */
export function sweptWorkloads(
  choices: readonly WorkloadChoice[],
  arms: readonly Coding[],
): Promise<SweptWorkload[]> {
  return Promise.all(choices.map((choice) => found(choice, arms)));
}

/** The workloads of a saved plan. */
export function savedWorkloads({ workload, workloads, arms }: SweepPlan): Promise<SweptWorkload[]> {
  const choices = (workloads ?? [workload]).map(({ files, name }) => files ?? { name });
  return sweptWorkloads(choices, arms);
}
