import { printable } from '@cachescope/model/printable.ts';
import { Command } from 'commander';
import { resolve } from 'node:path';
import { usageError } from '../error.ts';
import type { Experiment, Kinds, Resume } from '../experiments/experiment.ts';
import {
  addOptions,
  type OptionTexts,
  type SharedValues,
  typedTexts,
} from '../options/option-table.ts';
import { requireNewOut } from '../options/option-reading.ts';
import { shardOfEngine } from '../options/shard-reading.ts';
import type { Shard, ShardPlace } from '@cachescope/model/run/shard.ts';
import { groupOptions } from '../options/option-groups.ts';
import { unknownWords } from '../options/unknown-words.ts';
import type { Experiment as ExperimentName } from '@cachescope/model/run/run.ts';
import { defaultRunDirectory, readRunOf, RunDirectory } from '../results/run-directory.ts';
import { endWith, say, show } from '../terminal.ts';
import { divided } from './division.ts';
import { type PlanFile, trustedOptions, readPlanFile, untypedOptions } from './plan-file.ts';
import { openShard, savedShard, shardDirectory } from './shard-directory.ts';
import { toolsFor } from './tools.ts';
import { upload } from './upload.ts';
import { requireResumable } from './resumed-run.ts';
import { dryRunLink } from './run-link.ts';
import { inSession, type Taking } from './session.ts';

const resumeOption = {
  value: '<dir>',
  description: 'complete an interrupted run',
};

/** Options that are allowed beside `--resume` and `--plan`: they change no result, or must equal the saved values. */
const besides = ['browser', 'env', 'wait', 'json', 'verbose', 'upload'];
const besidesResume = ['resume', ...besides];
const besidesPlan = ['plan', 'shard', 'out', 'dryRun', 'saveHar', ...besides, ...trustedOptions];

/** The command of an experiment. */
export function experimentCommand<K extends Kinds>(experiment: Experiment<K>): Command {
  const { name, summary, description, options, firstOptions = [], resume } = experiment;
  const command = new Command(experiment.command ?? name).summary(summary).description(description);
  addOptions(command, { ...options.table, ...(resume && { resume: resumeOption }) });
  groupOptions(command, firstOptions);
  return command
    .addHelpText('after', experiment.help)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const typed = typedTexts(command);
      const file =
        typeof typed['plan'] === 'string' ? readPlanFile(typed['plan'], command.name()) : null;
      const { asked, shared, problems } = options.read({ ...file?.options, ...typed });
      const all = [
        ...unknownWords(command),
        ...problems,
        ...besideOption(command, typed, 'resume', [...besidesResume, ...(resume?.besides ?? [])]),
        ...besideOption(command, typed, 'plan', besidesPlan),
        ...(file ? untypedOptions(file, typed) : []),
      ];
      const place = file && !shared.shard ? shardOfEngine(process.env, all) : shared.shard;
      if (place && !file && typed['seed'] === undefined)
        all.push(
          '--shard needs --plan FILE, or the same --seed on every machine: the shards of a plan share its seed',
        );
      if (shared.out !== undefined && !place) requireNewOut(shared.out, all);
      if (all.length > 0) throw usageError(all);
      const ended =
        resume && typeof typed['resume'] === 'string'
          ? resumeExperiment({ ...experiment, resume }, resolve(typed['resume']), asked, shared)
          : runExperiment(experiment, asked, shared, { place, file });
      endWith(await ended);
    });
}

/** Options typed beside an option that supplies a plan, and that would change that plan. */
function besideOption(
  command: Command,
  typed: OptionTexts,
  name: 'resume' | 'plan',
  allowed: readonly string[],
): string[] {
  if (typed[name] === undefined) return [];
  const options = command.options
    .filter(
      (option) => option.attributeName() in typed && !allowed.includes(option.attributeName()),
    )
    .map((option) => option.long ?? option.flags);
  const words = [...command.args.map((word) => JSON.stringify(word)), ...options];
  if (words.length === 0) return [];
  const whose = name === 'resume' ? 'the saved run' : 'its file';
  return [`--${name} uses the plan of ${whose}; remove ${words.join(', ')}`];
}

/** The part of a plan that a run takes. */
interface Part {
  /** undefined: all of it. */
  place: ShardPlace | undefined;
  /** null: the plan comes from the command line. */
  file: PlanFile | null;
}

/** Takes, derives and shows one run; returns the exit code. */
async function runExperiment<K extends Kinds>(
  experiment: Experiment<K>,
  asked: K['asked'],
  shared: SharedValues,
  { place, file }: Part,
): Promise<number> {
  const tools = toolsFor(shared);
  const { planned, shard } = divided(experiment, await experiment.plan(asked, tools), place, file);
  if (shared.dryRun) {
    show(experiment.planText(planned));
    await experiment.dryRun?.(planned, tools);
    await dryRunLink(experiment.link?.(planned.plan), tools);
    return 0;
  }
  const chromium = file?.chromium ?? null;
  if (shard) return takeShard(experiment, shard, { planned, shared, tools, chromium });
  const name = experiment.command ?? experiment.name;
  const path = shared.out ?? defaultRunDirectory(name, new Date().toISOString());
  const open = async () => ({ directory: await RunDirectory.create(path, experiment.saved) });
  return inSession(experiment, { planned, shared, tools, chromium, path, open });
}

/** Takes one shard, or the missing part of it. A complete one is not taken again. */
async function takeShard<K extends Kinds>(
  experiment: Experiment<K>,
  shard: Shard,
  taking: Omit<Taking<K>, 'path' | 'open' | 'shard'>,
): Promise<number> {
  const { upload: command, out } = taking.shared;
  const path = out ?? shardDirectory(shard);
  const completeAlready = `${printable(path)} is complete already.`;
  const done = await savedShard(path, shard);
  if (done?.run.status === 'complete') {
    say(completeAlready);
    if (command !== undefined) await upload(command, path, true);
    return 0;
  }
  // Asked again once this run holds the machine: until then another start may have completed the shard.
  const open = async () => {
    const opened = await openShard(experiment, path, shard, say);
    if (opened === null) say(completeAlready);
    return opened;
  };
  return inSession(experiment, { ...taking, path, open, shard });
}

/** Takes the missing samples of a saved run, with the browser found or named now; returns the exit code. */
async function resumeExperiment<K extends Kinds>(
  experiment: Experiment<K> & { resume: Resume<K> },
  path: string,
  asked: K['asked'],
  shared: SharedValues,
): Promise<number> {
  // The file names the experiment, and its reader has checked that it is this one.
  const read = () =>
    readRunOf(experiment.name as ExperimentName, path) as unknown as Promise<K['document']>;
  const { run } = await read();
  const tools = toolsFor(shared);
  const planned = await experiment.resume.plan(run, asked, tools);
  const open = async () => {
    // Read again once this run holds the machine: until then the saved run may have been in progress.
    const saved = await read();
    requireResumable(saved.run, path);
    return { directory: RunDirectory.reopen(path, experiment.saved), saved };
  };
  return inSession(experiment, { planned, shared, tools, chromium: null, path, open });
}
