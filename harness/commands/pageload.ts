import { writeFile } from 'node:fs/promises';
import type { PageloadPlan } from '@cachescope/model/pageload-run.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { Command } from 'commander';
import { recordHar } from '../browser/record-har.ts';
import { requireChromium } from '../environment/chromium.ts';
import { messageOf, usageError } from '../error.ts';
import { plannedLoads, runPageload } from '../experiments/pageload.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { clock, Progress } from '../runner/progress.ts';
import { attachStorage } from '../storage/storage.ts';
import { toolVersion } from '../version.ts';
import {
  pageloadDefaults,
  type PageloadOptions,
  type RawPageloadOptions,
  readPageloadOptions,
} from './pageload-options.ts';
import { pageloadPlanText, pageloadSeconds } from './pageload-plan-text.ts';
import { readSource, type SourcePage } from './pageload-source.ts';
import { inSession } from './session.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

const help = `
The page's tree (what asks for what), sizes, types, priorities and cacheability
come from the archive; all its hosts become one origin on this machine, so none
of them is contacted. A list has a line a resource, indented below what asks
for it:  script 120k app.js
           fetch 3k data.json no-store

Examples:
  npm run pageload -- --sample news
  npm run pageload -- --har page.har --bodies recorded --delay 0,5,20
  npm run pageload -- --list page.txt --arms plain --launches 10
  npm run pageload -- --url http://127.0.0.1:8000/ --save-har page.har`;

const say = (line: string) => void process.stderr.write(`${line}\n`);

/** `cachescope pageload`: what a whole page costs to load from each state of the cache. */
export function pageloadCommand(): Command {
  const defaults = pageloadDefaults;
  return new Command('pageload')
    .summary('load a whole page from an archive, a list or a URL, from caches in each state')
    .description(
      'Loads a page with its real dependency tree: from an empty cache, a warm one,\n' +
        'after a relaunch, with the page cache dropped, and with dictionaries.',
    )
    .option('--har <file>', 'page of an HTTP Archive')
    .option('--list <file>', 'page of a plain list: TYPE BYTES NAME [CACHING], indented')
    .option('--url <url>', 'page recorded live, from this machine')
    .option('--sample <name>', 'news (300 resources) or app (40 large scripts)')
    .option('--external', 'with --url: let the recording contact other machines', false)
    .option('--bodies <kind>', 'synthetic or recorded (as the archive has them)', defaults.bodies)
    .option('--save-har <file>', 'also write the page as a HAR, to a new file')
    .option('--states <list>', 'which loads', defaults.states)
    .option('--arms <list>', 'how scripts and styles are delivered', defaults.arms)
    .option('--delay <list>', 'cache behind a device with these read delays, ms')
    .option('--launches <n>', 'loads of each kind, each in browsers of its own', defaults.launches)
    .option('--server-delay <ms>', 'wait of the origin before each answer', defaults.serverDelay)
    .option('--margin <share>', 'medians closer than this are the same', defaults.margin)
    .option('--storage <kind>', 'auto, dm-delay or nbd-delay, for --delay', defaults.storage)
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the random order (default: drawn, and kept in run.json)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_pageload)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan, the tree and privileged commands, run nothing', false)
    .addHelpText('after', help)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawPageloadOptions, command: Command) => {
      const { options, problems } = readPageloadOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = await pageload(options);
    });
}

/** Takes, derives and shows one run; returns the exit code. */
async function pageload(options: PageloadOptions): Promise<number> {
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const source = await sourceOf(options, privilege);
  const isSlow = options.delaysMs.length > 0;
  const storage = isSlow ? await storageFor(options.storage, privilege, say) : 'none';
  const plan = planOf(options, storage);
  if (options.dryRun) return dryRun(plan, source, privilege);
  await leaveOutCold(plan, privilege, isSlow);
  const chromium = await requireChromium(options.browser, privilege, say);
  const path = options.out ?? defaultRunDirectory('pageload', new Date().toISOString());
  const progress = new Progress(plannedLoads(plan));
  const wanted = {
    ...options,
    open: () => RunDirectory.create(path, 'pageload'),
    storage,
    chromiumPath: chromium.path,
    privilege,
    say: (line: string) => progress.step(line),
    finishing: 'finishing this profile’s load',
  };
  return inSession(wanted, async (session) => {
    const { page, notes } = source.read;
    for (const note of notes) progress.step(note);
    progress.step(`About ${clock(pageloadSeconds(plan, page))} minutes.`);
    const bench = { ...session, headful: options.headful, privilege, progress, toolVersion };
    const { run, pageloads, cleanUpError } = await runPageload(plan, source.read, bench);
    progress.end();
    return { document: { run, pageloads }, cleanUpError };
  });
}

/** Reads or records the page, and writes its archive where one is asked for. */
async function sourceOf(options: PageloadOptions, privilege: Privilege): Promise<SourcePage> {
  const { page, bodies, browser, saveHar } = options;
  const source = await readSource(page, bodies, async (url, external) => {
    const chromium = await requireChromium(browser, privilege, say);
    say(
      external
        ? `Recording ${url}: Chromium contacts it, and every host that its page names, once.`
        : `Recording ${url}; other machines cannot be reached.`,
    );
    return recordHar({ chromiumPath: chromium.path, url, external });
  });
  if (saveHar === undefined || source.har === null) return source;
  await writeFile(saveHar, `${JSON.stringify(source.har, null, 1)}\n`);
  say(`Archive: ${saveHar}`);
  return source;
}

/** Without the right to drop the page cache no cold load is taken; behind a slow device nothing can be measured without. */
async function leaveOutCold(
  plan: PageloadPlan,
  privilege: Privilege,
  isNeeded: boolean,
): Promise<void> {
  if (!plan.states.includes('cold') && !isNeeded) return;
  try {
    await privilege.run(['true']);
  } catch (error) {
    if (isNeeded) throw error;
    say(`The page cache cannot be dropped, so no cold loads are taken: ${messageOf(error)}`);
    plan.states = plan.states.filter((state) => state !== 'cold');
  }
}

function planOf(options: PageloadOptions, storage: StorageKind): PageloadPlan {
  const { states, arms, delaysMs, passes, serverDelayMs, seed, margin } = options;
  return { states, arms, storage, delaysMs, passes, serverDelayMs, seed, margin };
}

/** Shows the plan and every privileged command that would run; runs none. */
async function dryRun(
  plan: PageloadPlan,
  { read }: SourcePage,
  privilege: Privilege,
): Promise<number> {
  process.stdout.write(pageloadPlanText(plan, read.page, read.notes));
  if (plan.states.includes('cold')) await privilege.dropPageCache();
  if (plan.delaysMs.length === 0) return 0;
  const disk = await attachStorage({ kind: plan.storage, delayWrites: false, privilege });
  for (const delayMs of plan.delaysMs) await disk.setDelay(delayMs);
  await disk.detach();
  return 0;
}
