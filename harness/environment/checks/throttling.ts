import { join } from 'node:path';
import type { Check } from '../check.ts';
import { processorDirectories } from '../machine-files.ts';

/** Number of thermal throttling events of the processors since the machine started. */
export const throttling: Check = {
  id: 'throttling',
  why: 'A hot processor is throttled, and samples taken then are slower.',
  examine({ files, before }) {
    const counts = processorDirectories(files)
      .map((directory) => files.number(join(directory, 'thermal_throttle/core_throttle_count')))
      .filter((count) => count !== null);
    if (counts.length === 0)
      return { status: 'unknown', what: 'The kernel counts no thermal throttling' };
    const value = counts.reduce((sum, count) => sum + count, 0);
    const earlier = before.find(({ id }) => id === 'throttling')?.value;
    if (earlier !== undefined && value > earlier) {
      return {
        status: 'warning',
        what: `Processors were throttled ${value - earlier} times during the run`,
        todo: 'Cool the machine, switch turbo off, and measure again.',
        value,
      };
    }
    if (earlier !== undefined) return { status: 'ok', what: 'No thermal throttling', value };
    if (value === 0) return { status: 'ok', what: 'No thermal throttling since start-up', value };
    return { status: 'note', what: `${value} thermal throttling events since start-up`, value };
  },
};
