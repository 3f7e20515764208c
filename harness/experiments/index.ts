import { experiments as savedExperiments } from '@cachescope/model/run/run.ts';
import type { Command } from 'commander';
import { writeOutputs } from '../lab/outputs.ts';
import type { Writer } from '../results/results.ts';
import type { Experiment, Kinds } from './experiment.ts';

/** The parts of an experiment that the command line and `report` use. */
export interface Listed {
  command(): Promise<Command>;
  /** The command that writes the experiment's plan to a file; null: its plan cannot be divided over machines. */
  planCommand(): Promise<Command | null>;
  write: Writer<never>;
}

/** Commands that make runs of another experiment, by that experiment. */
const presets: Readonly<Record<string, readonly string[]>> = { sweep: ['explain'] };

/** A comparison is saved like a run, but no command measures one. */
const names = Object.keys(savedExperiments).flatMap((name) =>
  name === 'comparison' ? [] : [name, ...(presets[name] ?? [])],
);

/** Every experiment by name, in the order of the help. An experiment is loaded when its name is used. */
export const experiments: Readonly<Record<string, () => Promise<Listed>>> = Object.fromEntries(
  names.map((name) => [name, () => load(name)]),
);

/** The file experiment.ts of a folder exports its experiment under the folder's name. */
async function load(name: string): Promise<Listed> {
  const module: Record<string, Experiment<Kinds>> = await import(`./${name}/experiment.ts`);
  const experiment = module[name];
  if (!experiment) throw new Error(`experiments/${name}/experiment.ts exports no ${name}`);
  return {
    command: async () => (await import('../lab/run-experiment.ts')).experimentCommand(experiment),
    planCommand: async () =>
      experiment.shards ? (await import('../lab/plan-experiment.ts')).planOf(experiment) : null,
    write: (...[files, document, tools]: Parameters<Writer<Kinds['document']>>) =>
      writeOutputs(experiment, files, document, tools),
  };
}
