import { resolve } from 'node:path';
import type { Coding } from '@cachescope/model/coding.ts';
import type { PlannedWorkload, SweepPlan } from '@cachescope/model/sweep/run.ts';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { userWorkload } from '@cachescope/origin/workloads/user-pair.ts';
import { createWorkload, type Workload } from '@cachescope/origin/workloads/workload.ts';
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

/**
 * The data that a hit would have to read if `workload` were stored as DCB: the DCB body and the dictionary, each as an
 * entry that Chromium stores as received.
 */
async function partsOf({ workload }: SweptWorkload): Promise<SweptWorkload[]> {
  const { name, title, resource, dictionary } = workload;
  const delta = await encode('dcb', resource, defaultQualities, dictionary);
  const part = (is: 'delta' | 'dictionary', bytes: Uint8Array): SweptWorkload => {
    const contentType = 'application/octet-stream';
    const about = { name: `${name}.${is}`, title: `${title}: the ${is} alone`, contentType };
    const made = createWorkload(about, new Uint8Array(), bytes);
    const arms: Coding[] = ['identity'];
    return {
      workload: made,
      arms,
      planned: { ...describe(made), arms, part: { of: name, is } },
    };
  };
  return [part('delta', delta), part('dictionary', dictionary)];
}

/** The workloads of a command line, with their parts if these are requested. */
export async function sweptWorkloads(
  choices: readonly WorkloadChoice[],
  arms: readonly Coding[],
  withParts: boolean,
): Promise<SweptWorkload[]> {
  const own = await Promise.all(choices.map((choice) => found(choice, arms)));
  if (!withParts) return own;
  const parts = await Promise.all(own.map(partsOf));
  return [...own, ...parts.flat()];
}

/** The workloads of a saved plan. */
export async function savedWorkloads(plan: SweepPlan): Promise<SweptWorkload[]> {
  const all = plan.workloads ?? [plan.workload];
  const choices = all
    .filter(({ part }) => part === undefined)
    .map(({ files, name }) => files ?? { name });
  const withParts = all.some(({ part }) => part !== undefined);
  return sweptWorkloads(choices, plan.arms, withParts);
}
