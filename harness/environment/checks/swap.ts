import type { Check } from '../check.ts';
import { memoryBytes } from './memory.ts';

/** Swap in use. */
export const swap: Check = {
  id: 'swap',
  why: 'Swapped-out memory is read back during a read.',
  examine({ files }) {
    const text = files.text('/proc/meminfo');
    const total = memoryBytes(text, 'SwapTotal');
    const free = memoryBytes(text, 'SwapFree');
    if (total === null || free === null) return { status: 'unknown', what: 'Swap is unknown' };
    if (total === 0) return { status: 'ok', what: 'No swap' };
    const usedMebibytes = Math.round((total - free) / 1024 ** 2);
    if (usedMebibytes === 0) return { status: 'ok', what: 'Swap is not in use' };
    return {
      status: 'warning',
      what: `${usedMebibytes} MiB are swapped out`,
      todo: 'sudo swapoff --all',
    };
  },
};
