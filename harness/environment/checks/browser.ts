import { statFields } from '../../processes.ts';
import type { Check } from '../check.ts';
import { chromiumVersion } from '../chromium.ts';
import { note, ok, refused, unknown, warning } from '../finding.ts';
import type { MachineFiles } from '../machine-files.ts';
import { mayInstall, missingForBrowser } from '../setup/missing.mjs';
import { sandboxHelper, userNamespaceDenial } from '../setup/sandbox.mjs';

/** The first version that supports compression dictionaries without a flag. */
const leastMajor = 130;

/** The Chromium to measure. */
export const chromium: Check = {
  id: 'chromium',
  why: 'Results apply to one version of one browser; dictionaries need version 130 or newer.',
  async examine({ chromiumPath, otherBrowsers, privilege }) {
    const todo = 'Install Chromium, or name it with --browser PATH.';
    if (chromiumPath === null)
      return missingForBrowser().length > 0 && mayInstall(privilege.obstacle())
        ? note('No Chromium was found', 'Nothing: the first run installs one.')
        : refused('No Chromium was found', todo);
    const version = await chromiumVersion(chromiumPath);
    if (version === null) return unknown(`${chromiumPath} does not report its version`, todo);
    const what = `Chromium ${version} (${chromiumPath})`;
    if (Number.parseInt(version, 10) >= leastMajor)
      return otherBrowsers.length === 0
        ? ok(what)
        : ok(`${what}, the first found; also here: ${otherBrowsers.join(', ')}`);
    return refused(`${what} does not support dictionaries`, todo);
  },
};

const sandboxTodo =
  'On Debian: sudo apt-get install chromium-sandbox. npm run doctor starts the browser and shows whether it works.';

/**
 * Chromium's sandbox: a user namespace (user_namespaces(7)) is made on trial, as Chromium makes one. Only the doctor
 * starts Chromium itself (browser-findings.ts).
 */
export const sandbox: Check = {
  id: 'sandbox',
  why: 'Without its sandbox Chromium differs from the one in use, and pages are less confined.',
  examine({ chromiumPath, isRoot }) {
    if (isRoot)
      return note(
        'Chromium runs without its sandbox, because this program runs as root',
        'Run it as another user who may use sudo without a password.',
      );
    const denied = userNamespaceDenial();
    if (denied === null)
      return ok('User namespaces, which the sandbox of Chromium uses, can be made');
    const helper = chromiumPath === null ? null : sandboxHelper(chromiumPath);
    if (helper !== null) return note(`${denied}; Chromium uses its helper ${helper}`);
    return warning(`${denied}, and Chromium has no helper for its sandbox`, sandboxTodo);
  },
};

const programs = new Set(['chromium', 'chrome', 'chromium-browse', 'google-chrome']);

/** Whether this program started it, directly or through a script: then it is the browser under test. */
function isOurs(id: string, files: MachineFiles): boolean {
  // proc_pid_stat(5), field 4; absent when it is unknown.
  const parent = statFields(files.text(`/proc/${id}/stat`) ?? '')[1];
  if (!parent || parent === '0') return false;
  return parent === `${process.pid}` || isOurs(parent, files);
}

/** Main processes of Chromium: its helpers have a `--type` argument. */
function isBrowser(id: string, files: MachineFiles): boolean {
  if (!programs.has(files.text(`/proc/${id}/comm`) ?? '') || isOurs(id, files)) return false;
  const words = files.text(`/proc/${id}/cmdline`);
  // A zombie has no command line.
  return words !== null && words !== '' && !/(^|[\0 ])--type=/.test(words);
}

/** Chromium processes other than the browser under test. */
export const otherChromium: Check = {
  id: 'other-chromium',
  why: 'Another Chromium competes for processor, memory and disk.',
  examine({ files }) {
    const names = files.names('/proc');
    if (names === null) return unknown('The processes are unknown');
    const ids = names.filter((name) => /^\d+$/.test(name) && isBrowser(name, files));
    if (ids.length === 0) return ok('No other Chromium is running');
    const shown = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ' …' : '');
    const what = `${ids.length} other Chromium ${ids.length === 1 ? 'is' : 'are'} running (pid ${shown})`;
    return warning(what, 'Close it.');
  },
};
