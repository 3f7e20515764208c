import type { Check } from '../check.ts';
import { processorDirectories } from '../machine-files.ts';

/** Load per processor above which other work competes with the browser. */
const busy = 0.5;

/** The load of the last minute (proc_loadavg(5)). After a run it is the run's own load. */
export const load: Check = {
  id: 'load',
  why: 'Other work delays the browser and the device unevenly.',
  examine({ files, before }) {
    const text = files.text('/proc/loadavg');
    const average = Number.parseFloat(text ?? '');
    const processors = processorDirectories(files).length;
    if (Number.isNaN(average) || processors === 0)
      return { status: 'unknown', what: 'The load is unknown' };
    const what = `Load ${average.toFixed(2)} on ${processors} ${processors === 1 ? 'processor' : 'processors'}`;
    if (before.length > 0) return { status: 'ok', what: `${what}, the run's own work included` };
    if (average / processors <= busy) return { status: 'ok', what };
    return { status: 'warning', what, todo: 'End other programs, or wait until they are done.' };
  },
};
