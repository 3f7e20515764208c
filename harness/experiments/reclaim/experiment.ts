import { freemem } from 'node:os';
import { byteSize, count, digits } from '@cachescope/model/quantity.ts';
import { policyLabels, type ReclaimPlan, reclaimPolicies } from '@cachescope/model/reclaim-plan.ts';
import { trafficWords } from '@cachescope/model/reclaim-report.ts';
import { plannedRequests } from '@cachescope/model/reclaim-traffic.ts';
import { Command } from 'commander';
import { findChromium } from '../browser/find.ts';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import { plannedWindows, runReclaim } from '../experiments/reclaim.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { openLiveView } from '../results/live-view.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { clock, Progress } from '../runner/progress.ts';
import { toolVersion } from '../version.ts';
import {
  type RawReclaimOptions,
  readReclaimOptions,
  reclaimDefaults,
  type ReclaimOptions,
} from './reclaim-options.ts';
import { inSession } from './session.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

const examples = `
Examples:
  npm run reclaim                                      20 minutes at 425 a second, 1 KB, as the document
  npm run reclaim -- --time 30s --limit 3000           a quick look
  npm run reclaim -- --time 240s --payload 100kb
  npm run reclaim -- --traffic zipf --hit-rate 34% --policy s3-fifo
  npm run reclaim -- --traffic access.log --share 50% --speed 10 --payload 100kb --coding gzip
  npm run reclaim -- --system chromium --disk-cache blockfile --limit-bytes 64mb`;

/** `cachescope reclaim`: a cache with a limit under a constant load. */
export function reclaimCommand(): Command {
  const defaults = reclaimDefaults;
  return new Command('reclaim')
    .summary('a cache with a limit under a constant load: memory, latency, what is evicted')
    .description(
      'Sends requests at fixed times, whatever the answers do, to a cache with a limit, and looks each second what becomes of\n' +
        'its memory, its entries and its latency, and what it gives up to stay within the limit.',
    )
    .option('--system <name>', 'origin, chromium or chromium-memory', defaults.system)
    .option('--rate <n>', 'requests a second', defaults.rate)
    .option('--time <time>', 'how long (default: 20m; of a replay, all of it)')
    .option('--traffic <kind>', 'cache-bust, zipf, or a file: HAR or common log', defaults.traffic)
    .option('--skew <n>', 'of zipf', defaults.skew)
    .option('--hit-rate <share>', 'of zipf: chooses the population', defaults.hitRate)
    .option('--population <n>', 'of zipf: keys, in place of --hit-rate')
    .option('--speed <n>', 'of a replay: times faster than recorded', defaults.speed)
    .option('--share <share>', 'of a replay: how much of it is sent', defaults.share)
    .option('--payload <size>', 'of each body; recorded: as in the log', defaults.payload)
    .option('--coding <coding>', 'identity or gzip', defaults.coding)
    .option('--origin-delay <ms>', 'the origin waits before it makes a body', defaults.originDelay)
    .option('--limit <n>', 'entries that the origin keeps, or none (default: 36000)')
    .option('--limit-bytes <size>', 'of the cache (default: origin 4gb, chromium 64mb)')
    .option('--ratio <share>', 'of the limit, given up when it is reached (default: 30%)')
    .option('--policy <name>', `${reclaimPolicies.join(', ')} (default: lrw)`)
    .option('--disk-cache <kind>', 'of Chromium: simple, blockfile or sql')
    .option(
      '--storage <kind>',
      "below Chromium's cache: auto, dm-delay, nbd-delay, none",
      defaults.storage,
    )
    .option('--delay <ms>', 'of each read of that storage', defaults.delay)
    .option('--window <time>', 'how often the system is looked at (default: 1s; from 30m on 30s)')
    .option('--margin <share>', 'closer than this is the same', defaults.margin)
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--seed <n>', 'of keys and shares (default: drawn, kept in run.json)')
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
    .option('--out <dir>', 'new directory of the run (default: results/<time>_reclaim)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan, run nothing', false)
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawReclaimOptions, command: Command) => {
      const { options, problems } = readReclaimOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = await reclaim(options);
    });
}

/** Takes, derives and shows one run; returns the exit code. */
async function reclaim(options: ReclaimOptions): Promise<number> {
  const { plan: asked, replay, environment, wait, json, dryRun } = options;
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const privilege = createPrivilege({ dryRun, say });
  if (dryRun) {
    process.stdout.write(planText(asked));
    return 0;
  }
  const plan = await withStorage(asked, options.storage, privilege, say);
  const chromiumPath =
    plan.system === 'origin'
      ? ((await findChromium(options.browser))?.path ?? '')
      : (await requireChromium(options.browser, privilege, say)).path;
  warnOfMemory(plan, say);
  const path = options.out ?? defaultRunDirectory('reclaim', new Date().toISOString());
  const progress = new Progress(plannedWindows(plan));
  const wanted = {
    open: () => RunDirectory.create(path, 'reclaim'),
    storage: plan.browser?.storage ?? ('none' as const),
    chromiumPath,
    privilege,
    environment,
    wait,
    json,
    finishing: 'finishing the requests under way',
    say: (line: string) => progress.step(line),
  };
  return inSession(wanted, async (session) => {
    const bench = { ...session, privilege, progress, toolVersion };
    const { path: directory } = session.directory;
    await using live = await openLiveView(directory, 'reclaim', session.extensionDirectory);
    progress.step(`Follow it in a browser: ${live.url}`);
    const { run, lines, cleanUpError } = await runReclaim(plan, replay, bench);
    progress.end();
    return { document: { run, lines }, cleanUpError };
  });
}

async function withStorage(
  plan: ReclaimPlan,
  wanted: ReclaimOptions['storage'],
  privilege: Privilege,
  say: (line: string) => void,
): Promise<ReclaimPlan> {
  const { browser } = plan;
  if (!browser || wanted === 'none') return plan;
  await privilege.run(['true']);
  const storage = await storageFor(wanted, privilege, say);
  return { ...plan, browser: { ...browser, storage } };
}

/** Bodies that a full store of the origin holds, bytes; of Chromium's cache on a disk: 0. */
function memoryWanted({ system, limitEntries, limitBytes, payloadBytes }: ReclaimPlan): number {
  if (system === 'chromium') return 0;
  const bodies = limitEntries === null ? Infinity : limitEntries * (payloadBytes ?? Infinity);
  return Math.min(limitBytes, bodies);
}

function warnOfMemory(plan: ReclaimPlan, say: (line: string) => void): void {
  const wanted = memoryWanted(plan);
  if (wanted <= 0.6 * freemem()) return;
  say(
    `Warning: a full cache takes up to ${byteSize(wanted)}, and ${byteSize(freemem())} are free: lower --limit or --limit-bytes.`,
  );
}

function planText(plan: ReclaimPlan): string {
  const { system, rateHz, timeMs, payloadBytes, coding, originDelayMs, browser } = plan;
  const size = payloadBytes === null ? 'as recorded' : byteSize(payloadBytes);
  const disk = browser && system === 'chromium' ? [browser.backEnd ?? 'the usual back end'] : [];
  return [
    `System     ${[system, ...disk].join(', ')}`,
    `Load       ${digits(rateHz)} requests a second for ${clock(timeMs / 1000)} min: ${count(plannedRequests(plan))}`,
    `Traffic    ${trafficWords(plan)}`,
    `Bodies     ${size}, ${coding}; the origin waits ${digits(originDelayMs)} ms`,
    `Limit      ${limitWords(plan)}`,
    `Windows    ${plannedWindows(plan)} of ${digits(plan.windowMs / 1000)} s`,
    `Seed       ${plan.seed}`,
    '',
  ].join('\n');
}

/** `36,000 entries and 4 GiB; 30 % is given up, least recently written first`. */
function limitWords({ limitEntries, limitBytes, reclaimRatio, policy }: ReclaimPlan): string {
  const entries = limitEntries === null ? '' : `${count(limitEntries)} entries and `;
  const ratio =
    reclaimRatio === null || policy === null
      ? ''
      : `; ${digits(100 * reclaimRatio)} % is given up, ${policyLabels[policy]} first`;
  return `${entries}${byteSize(limitBytes)}${ratio}`;
}
