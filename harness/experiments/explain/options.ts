import { readDisk } from '../../options/disk-reading.ts';
import { commandOptions, type CommandOptions, withDefaults } from '../../options/option-table.ts';
import { sweepTable } from '../sweep/option-table.ts';
import { askSweep, type SweepAsked } from '../sweep/options.ts';

/**
 * A plan that shows every step of the argument in a few minutes: all codings, sizes a factor of 1,000 apart beside a
 * real file, and enough delays to test the model at delays that it was not fitted to.
 */
const presets = {
  samples: '6',
  launches: '6',
  arms: 'identity,gzip,br,zstd,dcb,dcz',
  workload: 'pdfjs',
  sizes: '10KiB,10MiB',
  delays: '0,2,5,10',
  slow: 'cache,dictionaries',
  firstLoads: true,
  trace: true,
};

/** A line through fewer points has no residual to test it by. */
const fewestDelays = 3;

const table = {
  ...withDefaults(sweepTable, presets),
  sizes: {
    ...sweepTable.sizes,
    description: 'synthetic workloads in addition to --workload, such as 10KiB,1MiB, or none',
    default: presets.sizes,
  },
  // No default: without arguments the delays are those of `--delays`.
  start: {
    isArgument: true,
    value: '<ms>',
    description: 'first read delay, ms; the three arguments replace --delays',
  },
  profile: {
    ...sweepTable.profile,
    description: sweepTable.profile.description.replace(/; [^;]*$/, ''),
  },
  disk: {
    value: '<disk>',
    description:
      'also predict times for a disk with this read latency, bandwidth and, optionally, read-ahead: 0.3ms,120MB/s,64KiB; may be repeated',
    isRepeatable: true,
    read: readDisk,
  },
} as const;

export const explainOptions: CommandOptions<SweepAsked> = commandOptions(
  table,
  (values, problems, typed) => {
    const start = values.start ?? sweepTable.start.default;
    const asked = askSweep({ ...values, start }, problems, typed);
    const { delaysMs } = asked.plan;
    const isShort = delaysMs.length > 0 && delaysMs.length < fewestDelays;
    if (problems.length === 0 && asked.storage !== 'none' && isShort)
      problems.push(
        `${delaysMs.length} read ${delaysMs.length === 1 ? 'delay' : 'delays'}: the model and its break-evens need ${fewestDelays}, for example --delays 0,5,10`,
      );
    const disks = values.disk.length > 0 && { disks: values.disk };
    return { ...asked, plan: { ...asked.plan, explain: true, ...disks } };
  },
);
