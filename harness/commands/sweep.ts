import type { StorageKind } from '@cachescope/model/sample.ts';
import type { SweepPlan, SweepRun } from '@cachescope/model/sweep-run.ts';
import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { userWorkload } from '@cachescope/origin/workloads/user-pair.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import { plannedSamples, runSweep } from '../experiments/sweep.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { writeResults } from '../results/results.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { planText } from '../results/sweep-finish.ts';
import { listenForInterrupt } from '../runner/interrupt.ts';
import { Progress } from '../runner/progress.ts';
import { reap } from '../storage/reaper.ts';
import { attachStorage } from '../storage/storage.ts';
import { toolVersion } from '../version.ts';
import {
  type RawSweepOptions,
  readSweepOptions,
  sweepDefaults,
  type SweepOptions,
} from './sweep-options.ts';
import { showResults } from './show-results.ts';
import { stopAtOnce } from './stop-at-once.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

/** Browser launches that share a cell's samples: at least two, to see what differs between them. */
const launchesPerPoint = 2;

const examples = `
Examples:
  npm run sweep                          control, then 1, 11, 21, 31 and 41 ms
  npm run sweep -- 0 10 1                0 to 10 ms in steps of 1 ms
  npm run sweep -- 0 20 5 --arms identity,br,dcb
  npm run sweep -- 0 10 2 --dictionary old.js --resource new.js`;

/** `cachescope sweep`: the main job. */
export function sweepCommand(): Command {
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
    .option('--samples <n>', 'timed reads of each arm at each point', defaults.samples)
    .option('--arms <list>', 'of identity, gzip, br, zstd, dcb, dcz', defaults.arms)
    .option('--workload <name>', `pdfjs, three or synthetic:SIZE (default: "${defaults.workload}")`)
    .option('--dictionary <file>', 'your own pair: the older version')
    .option('--resource <file>', 'your own pair: the newer version')
    .option(
      '--storage <kind>',
      'auto, dm-delay, nbd-delay or none (control only)',
      defaults.storage,
    )
    .option('--delay-writes', 'delay writes too', false)
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_sweep)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan and every privileged command, run nothing', false)
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(
      async (
        start: string,
        end: string,
        increment: string,
        flags: RawSweepOptions,
        command: Command,
      ) => {
        const { options, problems } = readSweepOptions({ ...flags, start, end, increment });
        const all = [...unknownWords(command), ...problems];
        if (all.length > 0) throw usageError(all);
        process.exitCode = await sweep(options);
      },
    );
}

/** Takes, derives and shows one sweep; returns the exit code. */
async function sweep(options: SweepOptions): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const workload = await workloadOf(options);
  const storage = await storageFor(options.storage, privilege, say);
  const plan = planOf(options, workload, storage);
  if (options.dryRun) return dryRun(plan, privilege);
  // Every cold read drops the page cache: without the right to, it is better to know before the first minute of work.
  await privilege.run(['true']);
  const chromium = await requireChromium(options.browser, privilege, say);
  await reap(privilege, say);
  const extensionDirectory = await builtExtension();
  const path = options.out ?? defaultRunDirectory('sweep', new Date().toISOString());
  const directory = await RunDirectory.create(path, 'sweep');
  const progress = new Progress(plannedSamples(plan));
  const sayBetween = (line: string) => progress.step(line);
  const interrupt = listenForInterrupt(sayBetween, () => stopAtOnce(directory, sayBetween));
  const tools = { extensionDirectory, chromiumPath: chromium.path };
  const found = { ...tools, headful: options.headful, workload, privilege };
  const commandLine = process.argv.slice(2);
  try {
    const bench = { ...found, directory, progress, interrupt, commandLine, toolVersion };
    const { run, samples, cleanUpError } = await runSweep(plan, bench);
    progress.end();
    showResults(await writeResults(directory, { run, samples }, tools), options.json);
    if (cleanUpError !== null) throw cleanUpError;
    return exitCodeOf(run, interrupt.requested);
  } finally {
    interrupt.dispose();
  }
}

function exitCodeOf(run: SweepRun, interrupted: boolean): number {
  if (interrupted) return 130;
  return run.status === 'complete' ? 0 : 4;
}

async function workloadOf({ workload }: SweepOptions): Promise<Workload> {
  if ('name' in workload) return findWorkload(workload.name);
  return userWorkload(workload.dictionary, workload.resource);
}

function planOf(options: SweepOptions, workload: Workload, storage: StorageKind): SweepPlan {
  return {
    arms: options.arms,
    // Without a slow device there is nothing to delay: only the control is left.
    delaysMs: storage === 'none' ? [] : options.delaysMs,
    storage,
    delayWrites: options.delayWrites,
    samplesPerCell: options.samplesPerCell,
    launchesPerPoint: Math.min(launchesPerPoint, options.samplesPerCell),
    seed: options.seed,
    workload: {
      name: workload.name,
      title: workload.title,
      resourceBytes: workload.resource.byteLength,
      resourceSha256: workload.resourceSha256,
      dictionaryBytes: workload.dictionary.byteLength,
    },
  };
}

/** Shows the plan and every privileged command that would run; runs none and takes no sample. */
async function dryRun(plan: SweepPlan, privilege: Privilege): Promise<number> {
  process.stdout.write(planText(plan));
  if (plan.storage === 'none') return 0;
  const disk = await attachStorage({
    kind: plan.storage,
    delayWrites: plan.delayWrites,
    privilege,
  });
  for (const delayMs of plan.delaysMs) await disk.setDelay(delayMs);
  await privilege.dropPageCache();
  await disk.detach();
  return 0;
}
