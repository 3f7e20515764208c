import { findWorkload } from '@cachescope/origin/workloads/catalog.ts';
import { Command } from 'commander';
import { requireChromium } from '../environment/chromium.ts';
import { usageError } from '../error.ts';
import { runExplore } from '../experiments/explore.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { defaultRunDirectory, RunDirectory } from '../results/run-directory.ts';
import { toolVersion } from '../version.ts';
import {
  exploreDefaults,
  type ExploreOptions,
  type RawExploreOptions,
  readExploreOptions,
} from './explore-options.ts';
import { inSession } from './session.ts';
import { storageFor } from './storage-choice.ts';
import { unknownWords } from './unknown-words.ts';

const examples = `
Examples:
  npm run explore
  npm run explore -- --delay 50 --url http://localhost:8080/`;

/** `cachescope explore`: a live browser with its cache on the slow disk. */
export function exploreCommand(): Command {
  return new Command('explore')
    .summary('look into a live browser whose cache lies on the slow disk')
    .description(
      'Opens Chromium with its cache on a device whose reads take a set time, and DevTools on the Cachescope panel. ' +
        'The panel sets the delay, drops the page cache and restarts the browser. Every load is saved; closing the browser, ' +
        'or Ctrl-C, ends the run.',
    )
    .option('--delay <ms>', 'read delay at the start', exploreDefaults.delay)
    .option('--url <url>', "page to open first (default: the origin's index)")
    .option('--headless', 'without a window', false)
    .option('--storage <kind>', 'auto, dm-delay, nbd-delay or none', exploreDefaults.storage)
    .option('--delay-writes', 'delay writes too', false)
    .option('--workload <name>', 'pdfjs, three or synthetic:SIZE (default: pdfjs and three)')
    .option('--browser <path>', 'Chromium to use (default: CHROME_PATH, then what is found)')
    .option('--out <dir>', 'new directory of the run (default: results/<time>_explore)')
    .addHelpText('after', examples)
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (flags: RawExploreOptions, command: Command) => {
      const { options, problems } = readExploreOptions(flags);
      const all = [...unknownWords(command), ...problems];
      if (all.length > 0) throw usageError(all);
      process.exitCode = await explore(options);
    });
}

/** Takes, derives and shows one exploration; returns the exit code. */
async function explore(options: ExploreOptions): Promise<number> {
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  const privilege = createPrivilege({ dryRun: false, say });
  const chromium = await requireChromium(options.browser, privilege, say);
  const storage = await storageFor(options.storage, privilege, say);
  const workloads = options.workload === undefined ? null : [await findWorkload(options.workload)];
  const path = options.out ?? defaultRunDirectory('explore', new Date().toISOString());
  const wanted = {
    open: () => RunDirectory.create(path, 'explore'),
    storage,
    chromiumPath: chromium.path,
    privilege,
    environment: 'warn' as const,
    wait: false,
    json: false,
    finishing: 'finishing what is being done',
    say,
  };
  const delayMs = storage === 'none' ? null : options.delayMs;
  const plan = { storage, delayMs, url: options.url ?? null, workloads };
  const canDropPageCache = await canUse(privilege);
  const { headless, delayWrites } = options;
  return inSession(wanted, (session) =>
    runExplore(plan, {
      ...session,
      headful: !headless,
      delayWrites,
      privilege,
      canDropPageCache,
      toolVersion,
      say,
    }),
  );
}

async function canUse(privilege: Privilege): Promise<boolean> {
  return privilege.run(['true']).then(
    () => true,
    () => false,
  );
}
