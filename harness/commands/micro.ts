import type { MicroPlan } from '@cachescope/model/micro-run.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { Command } from 'commander';
import { requireChromium } from '../environment/chromium.ts';
import { messageOf, usageError } from '../error.ts';
import { plannedSlices, runMicro } from '../experiments/micro.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { clock, Progress } from '../runner/progress.ts';
import { attachStorage } from '../storage/storage.ts';
import { toolVersion } from '../version.ts';
import {
  microDefaults,
  type MicroOptions,
  type RawMicroOptions,
  readMicroOptions,
} from './micro-options.ts';
import { microPlanText, microSeconds } from './micro-plan-text.ts';
import { inSession } from './session.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

/** Resources of the list, as in the document. */
const listLength = 101;
/** Disk is clearly slower when it takes a tenth longer than memory. */
const crossoverMargin = 0.1;

const help = `
Parts:
  table      one resource again and again: call overhead, clear, misses, hit
  list       ${listLength} resources loaded one after another, then again
  search     a key looked for in caches of many entries
  crossover  the size from which disk is clearly slower than memory, whatever
             --caches and --sizes say

The default run takes about half an hour; --time 1 --entries 0,1000 about nine
minutes; --dry-run prints the plan with its time.

Examples:
  npm run micro -- --parts table --time 2
  npm run micro -- --parts search --entries 0,1000,10000 --back-ends simple,sql
  npm run micro -- --parts crossover --delay 1,5,20`;

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** `cachescope micro`: what each cache costs by itself. */
export function microCommand(): Command {
  const defaults = microDefaults;
  return new Command('micro')
    .summary('micro-benchmarks of each cache: call overhead, clear, miss, hit, search')
    .description(
      'Times reads through each cache by itself, in pages that nothing is attached to:\n' +
        'what a call, a miss, a hit and a search cost, by size and number of entries.',
    )
    .option('--parts <list>', 'of table, list, search, crossover', defaults.parts)
    .option('--time <s>', 'set time of each row of the table, seconds', defaults.time)
    .option('--sizes <list>', 'body bytes of the resources', defaults.sizes)
    .option('--caches <list>', 'which caches', defaults.caches)
    .option('--entries <list>', 'entries in the cache that is searched', defaults.entries)
    .option('--back-ends <list>', 'disk cache back ends that are searched', defaults.backEnds)
    .option('--delay <list>', 'also behind a device with these read delays, ms: list, crossover')
    .option('--launches <n>', 'browser launches that share the runs of a row', defaults.launches)
    .option('--storage <kind>', 'auto, dm-delay or nbd-delay, for --delay', defaults.storage)
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_micro)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan and every privileged command, run nothing', false)
    .addHelpText('after', help)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawMicroOptions, command: Command) => {
      const { options, problems } = readMicroOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = await micro(options);
    });
}

/** Takes, derives and shows one run; returns the exit code. */
async function micro(options: MicroOptions): Promise<number> {
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const isSlow = options.delaysMs.length > 0;
  const storage = isSlow ? await storageFor(options.storage, privilege, say) : 'none';
  const plan = planOf(options, storage);
  if (options.dryRun) return dryRun(plan, privilege);
  const canDrop = await mayDrop(privilege, isSlow, say);
  const chromium = await requireChromium(options.browser, privilege, say);
  const path = options.out ?? defaultRunDirectory('micro', new Date().toISOString());
  const progress = new Progress(plannedSlices(plan));
  const wanted = {
    ...options,
    open: () => RunDirectory.create(path, 'micro'),
    storage,
    chromiumPath: chromium.path,
    privilege,
    say: (line: string) => progress.step(line),
  };
  return inSession(wanted, async (session) => {
    progress.step(`About ${clock(microSeconds(plan))} minutes.`);
    const { headful } = options;
    const bench = { ...session, headful, privilege, canDrop, progress, toolVersion };
    const { run, slices, cleanUpError } = await runMicro(plan, bench);
    progress.end();
    return { document: { run, slices }, cleanUpError };
  });
}

/** Whether the page cache can be dropped. Behind a slow device nothing can be measured without. */
async function mayDrop(
  privilege: Privilege,
  isNeeded: boolean,
  say: (line: string) => void,
): Promise<boolean> {
  try {
    await privilege.run(['true']);
    return true;
  } catch (error) {
    if (isNeeded) throw error;
    say(`The page cache cannot be dropped, so no cold reads are taken: ${messageOf(error)}`);
    return false;
  }
}

function planOf(options: MicroOptions, storage: StorageKind): MicroPlan {
  const { parts, caches, sizesBytes, timeMs, launches, entries, backEnds, delaysMs, seed } =
    options;
  const chosen = { parts, caches, sizesBytes, timeMs, launches, entries, backEnds, delaysMs, seed };
  return { ...chosen, listLength, storage, crossoverMargin };
}

/** Shows the plan and every privileged command that would run; runs none. */
async function dryRun(plan: MicroPlan, privilege: Privilege): Promise<number> {
  process.stdout.write(microPlanText(plan));
  await privilege.dropPageCache();
  if (plan.delaysMs.length === 0) return 0;
  const disk = await attachStorage({ kind: plan.storage, delayWrites: false, privilege });
  for (const delayMs of plan.delaysMs) await disk.setDelay(delayMs);
  await disk.detach();
  return 0;
}
