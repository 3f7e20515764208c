import { commandText } from '../privilege.ts';
import { dirname, join } from 'node:path';

/** A plan in a file that an engine divides into shards. */
export interface DividedPlan {
  /** 12 hexadecimal digits. */
  planId: string;
  /** `sweep`. */
  command: string;
  /** Absolute path of the plan. */
  file: string;
  /** Number of shards. */
  shards: number;
  /** Options of the plan that can name a program, as words: each shard types them. */
  programs: readonly string[];
}

/**
 * A bash script that submits a plan to Slurm: an array with one task for each shard, and a job that merges them after
 * all have ended, also when some failed. The runs are written beside the plan.
 *
 * @param clone directory in which `npm run` works on every node; null: every node has the installed command.
 */
export function slurmScript(plan: DividedPlan, clone: string | null): string {
  const { planId, command, file, shards, programs } = plan;
  const inResults = (name: string) => commandText([join(dirname(file), `${planId}_${name}`)]);
  // sbatch replaces %a in the name of a log; a percent sign of the directory is written twice.
  const log = (name: string) =>
    commandText([join(dirname(file).replaceAll('%', '%%'), `${planId}_${name}.log`)]);
  const run = (name: string) => (clone === null ? `cachescope ${name}` : `npm run ${name} --`);
  const typed = programs.map((word) => ` ${commandText([word])}`).join('');
  const begin = `#!/bin/bash${clone === null ? '' : `\ncd ${commandText([clone])}`}`;
  return `#!/bin/bash
# Plan ${planId} under Slurm: an array of ${shards} shards, and a job that merges them, also when shards are missing.
# Submit it with: bash FILE [options of sbatch, such as --partition=lab]
# Every node needs Cachescope and the directory of the plan at the same paths.
set -eu

# --exclusive: one shard at a time on a node. --requeue: a shard that is started again ends with the same run.
array=$(sbatch --parsable --job-name=cachescope-${planId} --array=1-${shards} --nodes=1 --exclusive \\
  --requeue --open-mode=append --output=${log('%a')} "$@" <<'END'
${begin}
exec ${run(command)} --plan ${commandText([file])} --shard auto --wait${typed} \\
  --out ${inResults('')}"$SLURM_ARRAY_TASK_ID-of-${shards}"
END
)

sbatch --job-name=cachescope-${planId}-merge --dependency="afterany:\${array%%;*}" \\
  --output=${log('merge')} "$@" <<'END'
${begin}
exec ${run('merge')} ${inResults('')}*-of-${shards} \\
  --out ${inResults('merged-')}"$SLURM_JOB_ID"
END
`;
}
