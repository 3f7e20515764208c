import { statFields } from '../../processes.ts';
import type { Check } from '../check.ts';
import type { MachineFiles } from '../machine-files.ts';

const names = new Set(['chromium', 'chrome', 'chromium-browse', 'google-chrome']);

/** The parent's pid (proc_pid_stat(5), field 4); '' when it is unknown. */
function parentOf(id: string, files: MachineFiles): string {
  return statFields(files.text(`/proc/${id}/stat`) ?? '')[1] ?? '';
}

/** Whether this program started it, directly or through a script: then it is the browser under test. */
function isOurs(id: string, files: MachineFiles): boolean {
  const parent = parentOf(id, files);
  if (parent === '' || parent === '0') return false;
  return parent === `${process.pid}` || isOurs(parent, files);
}

/** Main processes of Chromium: its helpers have a `--type` argument. */
function browserIds(files: MachineFiles): string[] {
  const ids = (files.names('/proc') ?? []).filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => {
    if (!names.has(files.text(`/proc/${id}/comm`) ?? '') || isOurs(id, files)) return false;
    const words = files.text(`/proc/${id}/cmdline`);
    // A zombie has no command line.
    return words !== null && words !== '' && !/(^|[\0 ])--type=/.test(words);
  });
}

/** Chromium processes other than the browser under test. */
export const otherChromium: Check = {
  id: 'other-chromium',
  why: 'Another Chromium competes for processor, memory and disk.',
  examine({ files }) {
    if (files.names('/proc') === null)
      return { status: 'unknown', what: 'The processes are unknown' };
    const ids = browserIds(files);
    if (ids.length === 0) return { status: 'ok', what: 'No other Chromium is running' };
    const shown = ids.slice(0, 5).join(', ') + (ids.length > 5 ? ' …' : '');
    return {
      status: 'warning',
      what: `${ids.length} other Chromium ${ids.length === 1 ? 'is' : 'are'} running (pid ${shown})`,
      todo: 'Close it.',
    };
  },
};
