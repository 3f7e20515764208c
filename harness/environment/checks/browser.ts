import { statFields } from '../../processes.ts';
import type { Check } from '../check.ts';
import { chromiumVersion } from '../chromium.ts';
import { note, ok, refused, unknown, warning } from '../finding.ts';
import type { MachineFiles } from '../machine-files.ts';

/** The first version that supports compression dictionaries without a flag. */
const leastMajor = 130;

/** The Chromium to measure. */
export const chromium: Check = {
  id: 'chromium',
  why: 'Results apply to one version of one browser; dictionaries need version 130 or newer.',
  async examine({ chromiumPath }) {
    const todo = 'Install Chromium, or name it with --browser PATH.';
    if (chromiumPath === null) return refused('No Chromium was found', todo);
    const version = await chromiumVersion(chromiumPath);
    if (version === null) return unknown(`${chromiumPath} does not report its version`, todo);
    const what = `Chromium ${version} (${chromiumPath})`;
    if (Number.parseInt(version, 10) >= leastMajor) return ok(what);
    return refused(`${what} does not support dictionaries`, todo);
  },
};

/** Chromium's sandbox, which needs user namespaces (user_namespaces(7)). */
export const sandbox: Check = {
  id: 'sandbox',
  why: 'Without its sandbox Chromium differs from the one in use, and pages are less confined.',
  examine({ files, isRoot }) {
    if (isRoot)
      return note(
        'Chromium runs without its sandbox, because this program runs as root',
        'Run it as another user who may use sudo without a password.',
      );
    const most = files.number('/proc/sys/user/max_user_namespaces');
    const isDenied =
      most === 0 ||
      files.number('/proc/sys/kernel/unprivileged_userns_clone') === 0 ||
      files.number('/proc/sys/kernel/apparmor_restrict_unprivileged_userns') === 1;
    if (isDenied)
      return warning(
        'The kernel denies user namespaces to unprivileged programs',
        "If Chromium does not start: install the distribution's Chromium, which has a profile or a helper for it.",
      );
    if (most === null) return unknown('The kernel reports no limit of namespaces');
    return ok('Chromium can use its sandbox');
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
