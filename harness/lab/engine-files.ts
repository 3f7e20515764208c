import { mostShards } from '@cachescope/model/run/shard.ts';
import { extname, join } from 'node:path';
import { type Problems, readInteger, readNewFile } from '../options/option-reading.ts';
import type { OptionTexts } from '../options/option-table.ts';
import { commandText } from '../privilege.ts';
import { kubernetesJob } from './kubernetes-job.ts';
import { type DividedPlan, slurmScript } from './slurm-script.ts';

/** The folder of a clone, which runs TypeScript; null: this is the installed command. */
const clone = import.meta.filename.endsWith('.ts') ? join(import.meta.dirname, '../..') : null;

/** Engines for which `plan` writes a file beside the plan. */
export interface Engines {
  /** undefined: as many as the plan has launches. */
  shards: number | undefined;
  /** Path of the script for Slurm. */
  slurm: string | undefined;
  /** Path of the Job for Kubernetes, and its image. */
  kubernetes: { path: string; image: string } | undefined;
}

/** `--shards`, `--slurm` and `--kubernetes` of `plan`, for a plan at this path. */
export function readEngines(typed: OptionTexts, plan: string, problems: Problems): Engines {
  const beside = (ending: string, flag: string) =>
    readNewFile(`${plan.slice(0, plan.length - extname(plan).length)}${ending}`, flag, problems);
  const { shards, slurm, kubernetes } = typed;
  const image = typeof kubernetes === 'string' ? kubernetes : 'cachescope';
  if (shards !== undefined && slurm === undefined && kubernetes === undefined)
    problems.push(
      '--shards needs --slurm or --kubernetes; without them, give the number to each machine: --shard N/COUNT',
    );
  return {
    shards:
      shards === undefined
        ? undefined
        : readInteger('--shards', String(shards), 1, mostShards, problems),
    slurm: slurm === undefined ? undefined : beside('.slurm.sh', '--slurm'),
    kubernetes:
      kubernetes === undefined ? undefined : { path: beside('.job.yaml', '--kubernetes'), image },
  };
}

/** A file for an engine, and what to do with it. */
export interface EngineFile {
  path: string;
  text: string;
  /** A sentence with the command to type next. */
  next: string;
}

/**
 * The files of the wanted engines, for a plan with its text.
 *
 * @throws CachescopeError CS_USAGE for a plan that is too large for the engine.
 */
export function engineFiles(
  { slurm, kubernetes }: Engines,
  plan: DividedPlan & { text: string },
): EngineFile[] {
  const { shards } = plan;
  const files: EngineFile[] = [];
  if (slurm !== undefined)
    files.push({
      path: slurm,
      text: slurmScript(plan, clone),
      next: `Submit its ${shards} shards and the merge to Slurm: bash ${commandText([slurm])}`,
    });
  if (kubernetes)
    files.push({
      path: kubernetes.path,
      text: kubernetesJob(plan, plan.text, kubernetes.image),
      next: `Start its ${shards} shards in Kubernetes: kubectl apply -f ${commandText([kubernetes.path])}`,
    });
  return files;
}
