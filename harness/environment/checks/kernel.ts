import type { Check, Subject } from '../check.ts';
import { kernelTickMs } from '../kernel-tick.ts';
import type { MachineFiles } from '../machine-files.ts';
import { targetPresence } from './delay-target.ts';

/** Ticks of at most 1 ms round a delay by less than the variation of reads. */
const fineTickMs = 1;

/** Whether a run on this storage could be over dm-delay. */
function mayUseDmDelay(storage: Subject['storage'], files: MachineFiles): boolean {
  return storage === 'dm-delay' || (storage === 'auto' && targetPresence(files) !== 'absent');
}

/**
 * The kernel's version, and the resolution of dm-delay: it keeps delays in ticks of the kernel's clock (jiffies),
 * rounded up, and from 50 ms on (before Linux 6.7: always, commit 70bbeb29fab0) one more tick passes until its timer
 * runs.
 */
export const kernel: Check = {
  id: 'kernel',
  why: 'dm-delay counts delays in kernel ticks of 1 to 10 ms, and rounds them up.',
  examine({ files, storage }) {
    const release = files.text('/proc/sys/kernel/osrelease');
    if (release === null) return { status: 'unknown', what: 'The kernel is unknown' };
    const tickMs = kernelTickMs(files);
    if (!mayUseDmDelay(storage, files)) return { status: 'ok', what: `Linux ${release}` };
    if (tickMs === null) {
      return {
        status: 'note',
        what: `Linux ${release}, which does not report its tick`,
        todo: 'Use the measured delays, not the requested ones.',
      };
    }
    const what = `Linux ${release}, with ticks of ${Number(tickMs.toFixed(2))} ms`;
    if (tickMs <= fineTickMs) return { status: 'ok', what, value: tickMs };
    return {
      status: 'note',
      what,
      todo: `With dm-delay ask for multiples of ${Number(tickMs.toFixed(2))} ms, and go by the measured delays; nbd-live does not round.`,
      value: tickMs,
    };
  },
};
