import { Command } from 'commander';
import { resolve } from 'node:path';
import { findChromium } from '../browser/find.ts';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import type { Experiment, Kinds, Resume, Tools } from '../experiments/experiment.ts';
import {
  addOptions,
  type OptionTexts,
  type SharedValues,
  typedTexts,
} from '../options/option-table.ts';
import { asText } from '../options/option-reading.ts';
import { unknownWords } from '../options/unknown-words.ts';
import { createPrivilege } from '../privilege.ts';
import type { Experiment as ExperimentName } from '@cachescope/model/run/run.ts';
import { defaultRunDirectory, readRunOf, RunDirectory } from '../results/run-directory.ts';
import { say, show } from '../terminal.ts';
import { toolVersion } from '../version.ts';
import { writeOutputs } from './outputs.ts';
import { Progress } from './progress.ts';
import { requireIncomplete } from './resumed-run.ts';
import { inSession } from './session.ts';
import { takeRun } from './take-run.ts';

const resumeOption = {
  value: '<dir>',
  description: 'complete an interrupted run',
  read: asText,
};

/** What may stand beside `--resume`: it changes no result, or must be as it was. */
const besides = ['resume', 'browser', 'env', 'wait', 'json'];

/** The command of an experiment. */
export function experimentCommand<K extends Kinds>(experiment: Experiment<K>): Command {
  const { name, summary, description, options, resume } = experiment;
  const command = new Command(experiment.command ?? name).summary(summary).description(description);
  addOptions(command, { ...options.table, ...(resume && { resume: resumeOption }) });
  return command
    .addHelpText('after', experiment.help)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async () => {
      const typed = typedTexts(command);
      const { asked, shared, problems } = options.read(typed);
      const all = [
        ...unknownWords(command),
        ...problems,
        ...besideResume(command, typed, resume?.besides),
      ];
      if (all.length > 0) throw usageError(all);
      process.exitCode =
        resume && typeof typed['resume'] === 'string'
          ? await resumeExperiment(
              { ...experiment, resume },
              resolve(typed['resume']),
              asked,
              shared,
            )
          : await runExperiment(experiment, asked, shared);
    });
}

function besideResume(command: Command, typed: OptionTexts, own: readonly string[] = []): string[] {
  if (typed['resume'] === undefined) return [];
  const allowed = new Set([...besides, ...own]);
  const options = command.options
    .filter((option) => option.attributeName() in typed && !allowed.has(option.attributeName()))
    .map((option) => option.long ?? option.flags);
  const words = [...command.args.map((word) => JSON.stringify(word)), ...options];
  if (words.length === 0) return [];
  return [`--resume uses the plan of the saved run; remove ${words.join(', ')}`];
}

/** Takes, derives and shows one run; returns the exit code. */
async function runExperiment<K extends Kinds>(
  experiment: Experiment<K>,
  asked: K['asked'],
  shared: SharedValues,
): Promise<number> {
  const tools = toolsFor(shared);
  const planned = await experiment.plan(asked, tools);
  if (shared.dryRun) {
    show(experiment.planText(planned));
    await experiment.rehearse?.(planned, tools);
    return 0;
  }
  const name = experiment.command ?? experiment.name;
  const path = shared.out ?? defaultRunDirectory(name, new Date().toISOString());
  const open = async () => ({ directory: await RunDirectory.create(path, experiment.saved) });
  return take(experiment, { planned, shared, tools, open });
}

/** Takes what a saved run lacks, with the browser found or named now; returns the exit code. */
async function resumeExperiment<K extends Kinds>(
  experiment: Experiment<K> & { resume: Resume<K> },
  path: string,
  asked: K['asked'],
  shared: SharedValues,
): Promise<number> {
  // The file names the experiment, and its reader has checked that it is of this one.
  const read = () =>
    readRunOf(experiment.name as ExperimentName, path) as unknown as Promise<K['document']>;
  const { run } = await read();
  const tools = toolsFor(shared);
  const planned = await experiment.resume.plan(run, asked, tools);
  const open = async () => {
    // Read again when the machine is ours: until then the run may have been going on.
    const saved = await read();
    requireIncomplete(saved.run, path);
    return { directory: RunDirectory.reopen(path, experiment.saved), saved };
  };
  return take(experiment, { planned, shared, tools, open });
}

/** What is to be taken, and where it goes. */
interface Taking<K extends Kinds> {
  planned: K['planned'];
  shared: SharedValues;
  tools: Tools;
  open: () => Promise<{ directory: RunDirectory; saved?: K['document'] }>;
}

async function take<K extends Kinds>(
  experiment: Experiment<K>,
  { planned, shared, tools, open }: Taking<K>,
): Promise<number> {
  const found = await experiment.requirements(planned, tools);
  const progress = new Progress(experiment.steps(found.plan));
  const { privilege } = tools;
  let saved: K['document'] | undefined;
  return inSession<K['document']>(
    {
      open: async () => {
        const opened = await open();
        ({ saved } = opened);
        return opened.directory;
      },
      storage: found.storage,
      chromiumPath: found.chromiumPath,
      privilege,
      environment: shared.env,
      wait: shared.wait,
      json: shared.json,
      finishing: experiment.finishing,
      say: (line) => progress.step(line),
      write: (files, document, resultTools) =>
        writeOutputs(experiment, files, document, resultTools),
    },
    async (session) => {
      const place = { ...session, privilege, progress, toolVersion };
      try {
        return await takeRun(experiment, found, place, saved);
      } finally {
        progress.end();
      }
    },
  );
}

function toolsFor({ dryRun, browser }: SharedValues): Tools {
  const privilege = createPrivilege({ dryRun, say });
  return {
    privilege,
    say,
    requireChromium: async () => (await requireChromium(browser, privilege, say)).path,
    findChromium: async () => (await findChromium(browser))?.path ?? '',
  };
}
