import { type FillPlan, suiteTitle } from '@cachescope/model/fill-plan.ts';
import { fillQuestions } from '@cachescope/model/fill-question.ts';
import { Command } from 'commander';
import { findChromium } from '../browser/find.ts';
import { CachescopeError, usageError } from '../error.ts';
import { plannedTrials, runFill } from '../experiments/fill.ts';
import { type NginxBinary, readBinary } from '../nginx/nginx-binary.ts';
import { createPrivilege } from '../privilege.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { clock, Progress } from '../runner/progress.ts';
import { toolVersion } from '../version.ts';
import { findNeeds, planWith, type Unavailable } from './fill-needs.ts';
import {
  fillDefaults,
  type FillOptions,
  type RawFillOptions,
  readFillOptions,
} from './fill-options.ts';
import { inSession } from './session.ts';
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
    .option(
      '--questions <list>',
      `put to the browser's cache: all, none, or of ${fillQuestions.join(', ')}`,
      defaults.questions,
    )
    .option('--nginx <path>', 'an nginx with the tempfiles patch')
    .option(
      '--storage <kind>',
      'slow disk of a question: auto, dm-delay, nbd-delay, none',
      defaults.storage,
    )
    .option('--browser <path>', 'Chromium to measure (default: CHROME_PATH, then what is found)')
    .option('--headful', 'show the browser', false)
    .option('--seed <n>', 'seed of the order and of the bytes (default: drawn, kept in run.json)')
    .option('--env <rule>', 'on a machine unfit to measure: throw, warn or skip', defaults.env)
    .option('--wait', 'wait for another run on this machine to end', false)
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

/** Takes, derives and shows one run of concurrent fills; returns the exit code. */
async function fill(options: FillOptions): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const privilege = createPrivilege({ dryRun: options.dryRun, say });
  const patched = await patchedNginx(options.nginx);
  if (options.dryRun) {
    process.stdout.write(planText(options.plan));
    return 0;
  }
  const found = await findNeeds(options, patched, privilege, say);
  const plan = planWith(options.plan, found);
  if (plan.systems.length === 0) throw nothingToRun(found.unavailable);
  for (const { what, why } of found.unavailable) say(`Not run: ${what}: ${why}`);
  const path = options.out ?? defaultRunDirectory('fill', new Date().toISOString());
  const progress = new Progress(plannedTrials(plan));
  const { nginx, storage, unavailable } = found;
  const { environment, wait, json, headful } = options;
  const wanted = {
    open: () => RunDirectory.create(path, 'fill'),
    storage,
    // Without a browser system it still draws the charts, where there is one.
    chromiumPath: found.chromiumPath ?? (await findChromium(options.browser))?.path ?? '',
    privilege,
    environment,
    wait,
    json,
    finishing: 'finishing what is under way',
    say: (line: string) => progress.step(line),
  };
  return inSession(wanted, async (session) => {
    const { extensionDirectory } = session;
    const executablePath = found.chromiumPath;
    const browser =
      executablePath === null ? null : { executablePath, extensionDirectory, headful };
    const parts = { browser, nginx, storage, unavailable, privilege, progress, toolVersion };
    const { run, lines, cleanUpError } = await runFill(plan, { ...session, ...parts });
    progress.end();
    return { document: { run, lines }, cleanUpError };
  });
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
