import { join } from 'node:path';
import type { Check } from '../check.ts';
import { processorDirectories } from '../machine-files.ts';

/** The frequency governor (Linux Documentation/admin-guide/pm/cpufreq.rst). */
export const governor: Check = {
  id: 'governor',
  why: 'With a dynamic governor a read after a pause is slower than one under load.',
  examine({ files }) {
    const governors = processorDirectories(files)
      .map((directory) => files.text(join(directory, 'cpufreq/scaling_governor')))
      .filter((name) => name !== null);
    if (governors.length === 0)
      return { status: 'unknown', what: 'The kernel reports no CPU frequency governor' };
    const others = [...new Set(governors.filter((name) => name !== 'performance'))];
    if (others.length === 0) return { status: 'ok', what: 'CPU governor: performance' };
    return {
      status: 'warning',
      what: `CPU governor: ${others.join(', ')}`,
      todo: 'sudo cpupower frequency-set --governor performance',
    };
  },
};
