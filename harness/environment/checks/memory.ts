import type { Check } from '../check.ts';

const gibibyte = 1024 ** 3;
/**
 * Available memory, bytes: below the first value Chromium, its page cache and the image begin to compete; below the
 * second the run is refused.
 */
const scarceBytes = 2 * gibibyte;
const leastBytes = 0.5 * gibibyte;

/** A value of /proc/meminfo (proc_meminfo(5)), bytes; null when it is not reported. */
export function memoryBytes(text: string | null, name: string): number | null {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Memory available to programs without swapping. */
export const memory: Check = {
  id: 'memory',
  why: 'When memory is short, the kernel evicts pages and swaps during reads.',
  examine({ files }) {
    const available = memoryBytes(files.text('/proc/meminfo'), 'MemAvailable');
    if (available === null) return { status: 'unknown', what: 'The free memory is unknown' };
    const what = `${(available / gibibyte).toFixed(1)} GiB of memory available`;
    if (available >= scarceBytes) return { status: 'ok', what };
    const todo = `End other programs: ${scarceBytes / gibibyte} GiB should be free.`;
    return { status: available < leastBytes ? 'refused' : 'warning', what, todo };
  },
};
