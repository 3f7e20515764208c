import { type FillPlan, type FillSystem, kindOf, suiteTitle } from '@cachescope/model/fill-plan.ts';
import type { FillRun } from '@cachescope/model/fill-run.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { Command } from 'commander';
import { builtExtension } from '../browser/extension-build.ts';
import { requireChromium } from '../environment/chromium.ts';
import { installPackages } from '../environment/packages.ts';
import { CachescopeError, messageOf, usageError } from '../error.ts';
import { plannedTrials, runFill } from '../experiments/fill.ts';
import { type NginxBinary, nginxPackage, ownNginx, readBinary } from '../nginx/nginx-binary.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { writeResults } from '../results/results.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { listenForInterrupt } from '../runner/interrupt.ts';
import { clock, Progress } from '../runner/progress.ts';
import { reap } from '../storage/reaper.ts';
import { toolVersion } from '../version.ts';
import {
  fillDefaults,
  type FillOptions,
  type RawFillOptions,
  readFillOptions,
} from './fill-options.ts';
import { showResults } from './show-results.ts';
import { stopAtOnce } from './stop-at-once.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

const examples = `
Systems: origin (no cache), nginx-pass, nginx-lock, edge-pass, edge-lock, edge-stream, browser-page,
browser-frames, browser-tabs, browser-workers, browser-memory, browser+edge; nginx-patched-lock and
nginx-tempfiles with --nginx. nginx, edge and browser stand for all of their kind.

Examples:
  npm run fill                                        everything, about 20 minutes
  npm run fill -- --time 6 --workers 20 --size 3mb    a quick look
  npm run fill -- --systems nginx,edge --suites 3s --rounds 5
  npm run fill -- --nginx ./nginx --systems nginx,nginx-tempfiles,edge-stream`;

/** `cachescope fill`: concurrent fills of a cache from a slow origin. */
export function fillCommand(): Command {
  const defaults = fillDefaults;
  return new Command('fill')
    .summary('many readers of files that are still arriving, through nginx, our edge, and Chromium')
    .description(
      'Has many readers ask at the same time for files that a slow origin is still sending, and measures what each cache\n' +
        'in between makes of it: how long bytes are waited for, and how often the origin is asked.',
    )
    .option('--systems <list>', 'what stands between (default: all that can run here)')
    .option('--suites <list>', 'full, or seconds that the origin takes for a file', defaults.suites)
    .option('--time <s>', 'how long files are begun in each trial, s', defaults.time)
    .option('--workers <n>', 'readers at the same time', defaults.workers)
    .option('--size <size>', 'size of a file', defaults.size)
    .option('--rounds <n>', 'how often each system takes each suite', defaults.rounds)
    .option('--no-questions', "do not ask the browser's cache how it shares what is arriving")
    .option('--nginx <path>', 'an nginx with the tempfiles patch')
    .option(
      '--storage <kind>',
      'slow disk of a question: auto, dm-delay, nbd-delay, none',
      defaults.storage,
    )
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the order and of the bytes (default: drawn, kept in run.json)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_fill)')
    .option('--json', 'print summary.json instead of the tables', false)
    .option('--dry-run', 'print the plan, run nothing', false)
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawFillOptions, command: Command) => {
      const { options, problems } = readFillOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = await fill(options);
    });
}

type Unavailable = FillRun['unavailable'];

/** What a run needs, as it was found. What is missing takes systems out of the plan. */
interface Found {
  nginx: { own: NginxBinary | null; patched: NginxBinary | null };
  chromiumPath: string | null;
  storage: StorageKind;
  unavailable: Unavailable;
}

async function fill(options: FillOptions): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const patched = await patchedNginx(options.nginx);
  if (options.dryRun) {
    process.stdout.write(planText(options.plan));
    return 0;
  }
  const found = await find(options, patched, privilege, say);
  const plan = planWith(options.plan, found);
  if (plan.systems.length === 0) throw nothingToRun(found.unavailable);
  for (const { what, why } of found.unavailable) say(`Not run: ${what}: ${why}`);
  await reap(privilege, say);
  const extensionDirectory = await builtExtension();
  const path = options.out ?? defaultRunDirectory('fill', new Date().toISOString());
  const directory = await RunDirectory.create(path, 'fill');
  const progress = new Progress(plannedTrials(plan));
  const sayBetween = (line: string) => progress.step(line);
  const atOnce = () => stopAtOnce(directory, sayBetween);
  const finishing = 'finishing the files under way';
  const interrupt = listenForInterrupt(sayBetween, atOnce, Date.now, finishing);
  const { chromiumPath, nginx, storage, unavailable } = found;
  const { headful } = options;
  const browser = chromiumPath && { executablePath: chromiumPath, extensionDirectory, headful };
  try {
    const { run, lines } = await runFill(plan, {
      browser: browser || null,
      nginx,
      storage,
      unavailable,
      privilege,
      directory,
      progress,
      interrupt,
      commandLine: process.argv.slice(2),
      toolVersion,
    });
    progress.end();
    const tools = { extensionDirectory, chromiumPath };
    showResults(await writeResults(directory, { run, lines }, tools), options.json);
    if (interrupt.requested) return 130;
    return run.status === 'complete' ? 0 : 4;
  } finally {
    interrupt.dispose();
  }
}

function nothingToRun(unavailable: Unavailable): CachescopeError {
  const list = unavailable.map(({ what, why }) => `\n  - ${what}: ${why}`).join('');
  return new CachescopeError('CS_FILL_SYSTEMS', `none of the systems can run here:${list}`, {
    exitCode: 3,
  });
}

/** A binary that was named and is none is an error, not a reason to do without. */
async function patchedNginx(path: string | undefined): Promise<NginxBinary | null> {
  if (path === undefined) return null;
  const read = await readBinary(path);
  if ('problem' in read) throw usageError([`--nginx: ${read.problem}`]);
  return read;
}

async function find(
  { plan, browser, storage }: FillOptions,
  patched: NginxBinary | null,
  privilege: Privilege,
  say: (line: string) => void,
): Promise<Found> {
  const unavailable: Unavailable = [];
  const needs = (kind: ReturnType<typeof kindOf>) =>
    plan.systems.some((system) => kindOf(system) === kind);
  const without = async <Value>(
    what: string,
    work: () => Promise<Value>,
  ): Promise<Value | null> => {
    try {
      return await work();
    } catch (error) {
      unavailable.push({ what, why: messageOf(error) });
      return null;
    }
  };
  const own = needs('nginx') ? await without('nginx', () => requireNginx(privilege, say)) : null;
  const chromium = needs('browser')
    ? await without('browser', () => requireChromium(browser, privilege, say))
    : null;
  if (patched === null)
    unavailable.push({
      what: 'nginx-patched-lock, nginx-tempfiles',
      why: 'no patched binary was named with --nginx',
    });
  const slow =
    plan.questions.includes('slow-disk') && chromium
      ? await without('the question slow-disk', () => slowStorage(storage, privilege, say))
      : null;
  return {
    nginx: { own, patched },
    chromiumPath: chromium?.path ?? null,
    storage: slow ?? 'none',
    unavailable,
  };
}

async function requireNginx(
  privilege: Privilege,
  say: (line: string) => void,
): Promise<NginxBinary> {
  const found = await ownNginx();
  if (found) return found;
  await installPackages([nginxPackage], 'The system nginx', privilege, say);
  const installed = await ownNginx();
  if (installed) return installed;
  throw new CachescopeError(
    'CS_NGINX_MISSING',
    `${nginxPackage} was installed, and there is no nginx`,
  );
}

/** Throws when there is no slow disk to be had: without root, or when none is wanted. */
async function slowStorage(
  wanted: FillOptions['storage'],
  privilege: Privilege,
  say: (line: string) => void,
): Promise<StorageKind> {
  if (wanted === 'none') throw new Error('--storage none');
  await privilege.run(['true']);
  return storageFor(wanted, privilege, say);
}

/** The plan without what cannot run here. */
function planWith(plan: FillPlan, { nginx, chromiumPath, storage }: Found): FillPlan {
  const canRun = (system: FillSystem) => {
    const kind = kindOf(system);
    if (kind === 'nginx') return nginx.own !== null;
    if (kind === 'patched nginx') return nginx.patched !== null;
    return kind !== 'browser' || chromiumPath !== null;
  };
  const questions = chromiumPath === null ? [] : plan.questions;
  return {
    ...plan,
    systems: plan.systems.filter(canRun),
    questions: questions.filter((name) => name !== 'slow-disk' || storage !== 'none'),
  };
}

function planText(plan: FillPlan): string {
  const { systems, suites, workers, timeMs, fileBytes, rounds, questions, seed } = plan;
  const trials = systems.length * suites.length * rounds;
  const longestMs = suites.reduce((sum, { fileMs }) => sum + timeMs + fileMs, 0);
  return [
    `Systems    ${systems.join(', ')}`,
    `Suites     ${suites.map(suiteTitle).join('; ')}`,
    `Readers    ${workers} at the same time, ${timeMs / 1000} s each trial`,
    `Files      ${fileBytes} bytes`,
    `Trials     ${trials}: about ${clock((systems.length * rounds * longestMs) / 1000)} min`,
    `Questions  ${questions.join(', ') || 'none'}`,
    `Seed       ${seed}`,
    '',
  ].join('\n');
}
