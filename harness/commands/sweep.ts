import type { SweepPlan, SweepRunDocument } from '@cachescope/model/sweep-run.ts';
import type { FileSystem } from '@cachescope/model/variant.ts';
import { type Command, Option } from 'commander';
import { resolve } from 'node:path';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import { runSweep, type SweepOutcome } from '../experiments/sweep.ts';
import { plannedSamples, settingsAt } from '../experiments/sweep-points.ts';
import { requireIncomplete, type SavedSweep } from '../experiments/sweep-resume.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { defaultRunDirectory, readRunOf, RunDirectory } from '../results/run-directory.ts';
import { planText } from '../results/sweep-finish.ts';
import { Progress } from '../runner/progress.ts';
import type { StorageOptions } from '../storage/disk.ts';
import { attachStorage, requireStorage } from '../storage/storage.ts';
import { rehearseBlockTrace } from '../trace/block-trace.ts';
import { requireSyscallWatch } from '../trace/syscall-watch.ts';
import { toolVersion } from '../version.ts';
import { type RawSweepOptions, readSweepOptions, type SweepOptions } from './sweep-options.ts';
import { inSession } from './session.ts';
import { planOf } from './sweep-plan.ts';
import { sweepWords } from './sweep-words.ts';
import { savedWorkloads, type SweptWorkload, sweptWorkloads } from './swept-workloads.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

const examples = `
Examples:
  npm run sweep                          control, then 1, 11, 21, 31 and 41 ms
  npm run sweep -- 0 10 1                0 to 10 ms in steps of 1 ms
  npm run sweep -- 0 20 5 --arms identity,br,dcb
  npm run sweep -- 0 10 2 --dictionary old.js --resource new.js
  npm run sweep -- 0 10 5 --disk-cache simple,blockfile,sql
  npm run sweep -- 0 10 5 --precision 3% --max-time 20m
  npm run sweep -- --resume results/DIR  what an interrupted run lacks`;

/** A command that takes a sweep. */
export interface SweepLike {
  name: string;
  summary: string;
  description: string;
  /** What its flags are by themselves where that is not as in a sweep, by attribute: `{ samples: '6' }`. */
  presets: Readonly<Record<string, string | boolean>>;
  explain: boolean;
  examples: string;
}

/** `cachescope sweep`: the main job. */
export function sweepCommand(): Command {
  const words = sweepWords();
  return sweepLike({
    name: words.name(),
    summary: words.summary(),
    description: words.description(),
    presets: {},
    explain: false,
    examples,
  });
}

/** Makes a command that takes a sweep, with all its words and flags. */
export function sweepLike(about: SweepLike): Command {
  const { name, summary, description, presets } = about;
  const words = sweepWords().name(name).summary(summary).description(description);
  for (const option of words.options) {
    const preset = presets[option.attributeName()];
    if (preset === undefined) continue;
    option.default(preset);
    words.setOptionValueWithSource(option.attributeName(), preset, 'default');
  }
  for (const [name, preset] of Object.entries(presets)) {
    const long = words.options.find((option) => option.attributeName() === name)?.long;
    if (preset === true && long) words.option(long.replace('--', '--no-'), 'leave that out');
  }
  if (about.explain) words.addOption(diskOption());
  return words
    .addHelpText('after', about.examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(
      async (
        start: string,
        end: string,
        increment: string,
        flags: RawSweepOptions & { resume?: string },
        command: Command,
      ) => {
        const ranged = command.args.length > 0;
        const raw = { ...flags, ...givenWay(command, ranged), start, end, increment, ranged };
        const { options, problems } = readSweepOptions(raw);
        const beside = flags.resume === undefined ? [] : besideResume(command);
        const all = [...unknownWords(command), ...problems, ...beside];
        if (all.length > 0) throw usageError(all);
        process.exitCode =
          flags.resume === undefined
            ? await sweep({ ...options, explain: about.explain }, name)
            : await resume(resolve(flags.resume), options);
      },
    );
}

function diskOption(): Option {
  const more = (disk: string, before: string[] | undefined) => [...(before ?? []), disk];
  return new Option(
    '--disk <disk>',
    'predict times for it too, as 0.3ms,120MB/s or 0.3ms,120MB/s,64KiB with its read-ahead; may be repeated',
  ).argParser(more);
}

/** Presets that give way to what was typed and does not go with them. */
function givenWay(command: Command, ranged: boolean): Partial<RawSweepOptions> {
  const isPreset = (name: string) => command.getOptionValueSource(name) === 'default';
  const { storage, arms, dictionary, resource } = command.opts<RawSweepOptions>();
  const own = dictionary !== undefined || resource !== undefined;
  return {
    ...(own && isPreset('workload') && { workload: undefined }),
    ...(ranged && isPreset('delays') && { delays: undefined }),
    ...(storage === 'none' && isPreset('slow') && { slow: undefined }),
    ...(!arms.includes('dcb') && isPreset('whatIf') && { whatIf: false }),
  };
}

/** What may stand beside `--resume`: it changes no figure. */
const besides = new Set(['resume', 'env', 'wait', 'json']);

function besideResume(command: Command): string[] {
  const flags = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .filter((option) => !besides.has(option.attributeName()))
    .map((option) => option.long ?? option.flags);
  const words = [...command.args.map((word) => JSON.stringify(word)), ...flags];
  if (words.length === 0) return [];
  return [`--resume takes the plan of the saved run; leave away ${words.join(', ')}`];
}

/** What was asked for beside the plan. */
type Wishes = Pick<SweepOptions, 'environment' | 'wait' | 'json'>;

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** Takes, derives and shows one new sweep; returns the exit code. */
async function sweep(options: SweepOptions, name: string): Promise<number> {
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const [first, ...more] = await sweptWorkloads(options.workloads, options.arms, options.whatIf);
  if (!first) throw usageError(['a sweep needs a workload']);
  const workloads: [SweptWorkload, ...SweptWorkload[]] = [first, ...more];
  const { fileSystem } = options.settings ?? {};
  const varied = options.variants?.map((variant) => variant.fileSystem ?? fileSystem ?? 'ext4');
  const fileSystems = varied ?? [fileSystem ?? 'ext4'];
  const storage = await storageFor(options.storage, privilege, say, fileSystems);
  const plan = planOf(options, workloads, storage);
  if (options.dryRun) return dryRun(plan, privilege);
  const chromium = await requireChromium(options.browser, privilege, say);
  const path = options.out ?? defaultRunDirectory(name, new Date().toISOString());
  const open = async () => ({ directory: await RunDirectory.create(path, 'sweep') });
  return take({ plan, workloads, chromiumPath: chromium.path, open }, options);
}

/** Takes what a saved sweep lacks; returns the exit code. */
async function resume(path: string, wishes: Wishes): Promise<number> {
  const privilege = createPrivilege({ dryRun: false, say });
  const { plan, environment } = (await readRunOf('sweep', path)).run;
  const workloads = await savedWorkloads(plan);
  await storageFor(plan.storage, privilege, say, fileSystemsOf(plan));
  const wanted = plan.settings?.browser ?? environment.chromium.path;
  const chromium = await requireChromium(wanted, privilege, say);
  return take({ plan, workloads, chromiumPath: chromium.path, open: () => reopened(path) }, wishes);
}

/** Read when the machine is ours: until then the run may have been going on. */
async function reopened(path: string): Promise<Opened> {
  const saved = await readRunOf('sweep', path);
  requireIncomplete(saved.run, path);
  return { directory: await RunDirectory.reopen(path, 'sweep'), saved };
}

function fileSystemsOf(plan: SweepPlan): FileSystem[] {
  const variants = plan.variants?.map(({ name }) => ({ variant: name })) ?? [{}];
  return variants.map((variant) => settingsAt(plan, variant).fileSystem ?? 'ext4');
}

/** What is to be taken, and where it goes. */
interface Taking {
  plan: SweepPlan;
  workloads: SweptWorkload[];
  chromiumPath: string;
  open: () => Promise<Opened>;
}

interface Opened {
  directory: RunDirectory;
  /** A run that is taken up again. */
  saved?: SavedSweep;
}

async function take(
  { plan, workloads, chromiumPath, open }: Taking,
  wishes: Wishes,
): Promise<number> {
  const privilege = createPrivilege({ dryRun: false, say });
  // Every cold read drops the page cache: without the right to, it is better to know before the first minute of work.
  await privilege.run(['true']);
  if (plan.traces?.syscalls) await requireSyscallWatch();
  const progress = new Progress(plannedSamples(plan));
  const sayBetween = (line: string) => progress.step(line);
  const { storage } = plan;
  for (const options of disksOf(plan, privilege)) await requireStorage(options, plan.delaysMs);
  let saved: SavedSweep | undefined;
  const openDirectory = async () => {
    const opened = await open();
    ({ saved } = opened);
    return opened.directory;
  };
  const wanted = {
    ...wishes,
    open: openDirectory,
    storage,
    chromiumPath,
    privilege,
    say: sayBetween,
  };
  return inSession(wanted, async (session) => {
    const found = { workloads, privilege, headful: plan.headful ?? false };
    const bench = { ...session, ...found, progress, toolVersion, saved };
    const { cleanUpError, ...taken } = await runSweep(plan, bench);
    progress.end();
    return { document: documentOf(taken), cleanUpError };
  });
}

/** A run that asked for no traces holds no list of them. */
function documentOf({
  run,
  samples,
  traced,
}: Omit<SweepOutcome, 'cleanUpError'>): SweepRunDocument {
  return { run, samples, ...(run.plan.traces && { traced }) };
}

/** The slow disk of every variant. */
function disksOf(plan: SweepPlan, privilege: Privilege): StorageOptions[] {
  const variants = plan.variants?.map(({ name }) => ({ variant: name })) ?? [{}];
  return variants.map((variant) => {
    const { fileSystem, readAheadKiB } = settingsAt(plan, variant);
    const { storage: kind, delayWrites, device } = plan;
    return { kind, delayWrites, privilege, ...device, fileSystem, readAheadKiB };
  });
}

/** Shows the plan and every privileged command that would run; runs none and takes no sample. */
async function dryRun(plan: SweepPlan, privilege: Privilege): Promise<number> {
  process.stdout.write(planText(plan));
  if (plan.storage === 'none') return 0;
  for (const options of disksOf(plan, privilege)) {
    const disk = await attachStorage(options);
    for (const delayMs of plan.delaysMs) await disk.setDelay(delayMs);
    await privilege.dropPageCache();
    await disk.detach();
  }
  if (plan.traces) await rehearseBlockTrace(privilege);
  return 0;
}
