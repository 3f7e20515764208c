import type { SweepPlan, SweepRunDocument } from '@cachescope/model/sweep-run.ts';
import type { FileSystem } from '@cachescope/model/variant.ts';
import { Command } from 'commander';
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
import { requireSyscallWatch } from '../trace/syscall-watch.ts';
import { toolVersion } from '../version.ts';
import {
  type RawSweepOptions,
  readSweepOptions,
  sweepDefaults,
  type SweepOptions,
} from './sweep-options.ts';
import { inSession } from './session.ts';
import { planOf } from './sweep-plan.ts';
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

/** The command with its words and flags, and nothing to do yet. */
function sweepWords(): Command {
  const defaults = sweepDefaults;
  return new Command('sweep')
    .summary('time cached reads of each arm over a range of disk latencies')
    .description(
      'Times cached reads of the same bytes, stored by Chromium from responses of different content codings, with its\n' +
        'cache on a device whose reads take a set time. The control, without that device, always comes first.',
    )
    .argument('[start]', 'first read delay, ms', defaults.start)
    .argument('[end]', 'last read delay, ms', defaults.end)
    .argument('[increment]', 'step between delays, ms', defaults.increment)
    .option('--delays <list>', 'read delays, ms, as 0,2,5,10, in place of the three words')
    .option('--samples <n>', 'timed reads of each arm at each point', defaults.samples)
    .option(
      '--launches <n>',
      `browser launches that these are spread over (default: "${defaults.launches}"; with the disk cache sql one a read)`,
    )
    .option('--arms <list>', 'of identity, gzip, br, zstd, dcb, dcz', defaults.arms)
    .option(
      '--workload <list>',
      `of pdfjs, three, synthetic:SIZE (default: "${defaults.workload}")`,
    )
    .option('--sizes <list>', 'synthetic workloads too, as 10kb,100kb,1mb,10mb')
    .option('--dictionary <file>', 'your own pair: the older version')
    .option('--resource <file>', 'your own pair: the newer version')
    .option(
      '--precision <share>',
      'sample until each interval is as narrow, as 3%, or a pair is decided',
    )
    .option(
      '--max-time <time>',
      'begin no batch after it, as 20m; every cell gets --samples at least',
    )
    .option('--margin <share>', 'medians closer than this are the same', defaults.margin)
    .option('--disk-cache <list>', 'simple, blockfile, sql; several are compared')
    .option('--cache-size <list>', 'limit of the cache, as 64MiB; several are compared')
    .option('--file-system <list>', 'ext4, xfs, btrfs; several are compared')
    .option('--read-ahead <list>', 'of the slow device, KiB; several are compared')
    .option('--variants <file>', 'JSON: browsers, flags, features to compare; see the README')
    .option(
      '--storage <kind>',
      'auto, dm-delay, nbd-delay or none (control only)',
      defaults.storage,
    )
    .option('--slow <list>', 'what lies on the slow disk: cache, dictionaries, profile')
    .option(
      '--first-loads',
      'end each launch with loads from the network, with a dictionary and without',
      false,
    )
    .option('--what-if', 'read, too, what a hit would read if DCB were stored as DCB', false)
    .option('--delay-writes', 'delay writes and flushes as reads', false)
    .option('--write-delay <ms>', 'delay of each write')
    .option('--flush-delay <ms>', 'delay of each flush')
    .option('--bandwidth <rate>', 'of the slow device, as 20MB/s')
    .option('--bad-reads <share>', 'device reads that fail, 0 to 1')
    .option('--trace', 'trace one more read of each cell: its steps and its device reads', false)
    .option('--witness <name>', 'syscalls: trace, and write down the system calls too (strace)')
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--out <dir>', 'new directory of the run (default: results/<time>_sweep)')
    .option('--resume <dir>', 'take what an interrupted run lacks')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan and every privileged command, run nothing', false);
}

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
  return 0;
}
