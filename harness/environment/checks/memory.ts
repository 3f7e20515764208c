import type { Check } from '../check.ts';
import { ok, refused, unknown, warning } from '../finding.ts';
import type { MachineFiles } from '../machine-files.ts';

const gibibyte = 1024 ** 3;
/**
 * Available memory, bytes: below the first value Chromium, its page cache and the image begin to compete; below the
 * second the run is refused.
 */
const scarceBytes = 2 * gibibyte;
const leastBytes = 0.5 * gibibyte;

/** A value of /proc/meminfo (proc_meminfo(5)), bytes; null when it is not reported. */
function memoryBytes(files: MachineFiles, name: string): number | null {
  const text = files.text('/proc/meminfo') ?? '';
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Memory available to programs without swapping. */
export const memory: Check = {
  id: 'memory',
  why: 'When memory is short, the kernel evicts pages and swaps during reads.',
  examine({ files }) {
    const available = memoryBytes(files, 'MemAvailable');
    if (available === null) return unknown('The free memory is unknown');
    const what = `${(available / gibibyte).toFixed(1)} GiB of memory available`;
    if (available >= scarceBytes) return ok(what);
    const todo = `End other programs: ${scarceBytes / gibibyte} GiB should be free.`;
    return available < leastBytes ? refused(what, todo) : warning(what, todo);
  },
};

/** Swap in use. */
export const swap: Check = {
  id: 'swap',
  why: 'Swapped-out memory is read back during a read.',
  examine({ files }) {
    const total = memoryBytes(files, 'SwapTotal');
    const free = memoryBytes(files, 'SwapFree');
    if (total === null || free === null) return unknown('Swap is unknown');
    if (total === 0) return ok('No swap');
    const usedMebibytes = Math.round((total - free) / 1024 ** 2);
    if (usedMebibytes === 0) return ok('Swap is not in use');
    return warning(`${usedMebibytes} MiB are swapped out`, 'sudo swapoff --all');
  },
};
