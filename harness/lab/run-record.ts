import { type RunBase, schemaVersion } from '@cachescope/model/run/base.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import type { MachineWatch } from '../environment/machine-watch.ts';

/** Inputs that every run gets before it begins. */
export interface RunOccasion {
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
  /** The shard that the run takes; absent: the whole plan. */
  shard?: Shard | undefined;
}

/** The fields that every run's record has before the first sample, for any experiment. */
export function runHead<Experiment extends string>(
  experiment: Experiment,
  { machine, commandLine, toolVersion, shard }: RunOccasion,
  startedAt: Date,
): Omit<RunBase, 'environment'> & { experiment: Experiment } {
  return {
    schemaVersion,
    tool: { name: 'cachescope', version: toolVersion },
    experiment,
    status: 'running',
    startedAt: startedAt.toISOString(),
    commandLine,
    proofs: [],
    machine: { before: machine.before },
    warnings: [...machine.warnings],
    ...(shard && { shard }),
  };
}
