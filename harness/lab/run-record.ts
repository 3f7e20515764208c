import { type RunBase, schemaVersion } from '@cachescope/model/run/base.ts';
import type { Shard } from '@cachescope/model/run/shard.ts';
import type { MachineWatch } from '../environment/machine-watch.ts';

/** What every run is told of itself before it begins. */
export interface RunOccasion {
  machine: MachineWatch;
  commandLine: string[];
  toolVersion: string;
  /** The part of a plan that the run is; absent: it is whole. */
  shard?: Shard | undefined;
}

/** What the record of every run says before the first sample, whatever the experiment. */
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
