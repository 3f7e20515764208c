import { codings } from '@cachescope/model/coding.ts';
import { count } from '@cachescope/model/quantity.ts';
import { pageCacheStates } from '@cachescope/model/run/page-cache-state.ts';
import { defaultMostReadings } from '@cachescope/model/statistics/stop-rule.ts';
import { linkOption } from '../../options/link-option.ts';
import { featureNames } from '../../options/features-reading.ts';
import { oneOf, someOf } from '../../options/name-reading.ts';
import { integerFrom } from '../../options/option-reading.ts';
import type { OptionTable } from '../../options/option-table.ts';
import { shippedProfiles } from '../../options/profile-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import { headful, marginOption, storageOption } from '../../options/shared-options.ts';
import { defaultWorkload } from '../../options/workload-reading.ts';

const maxSamples = 10_000;
/** Most browser launches that share the samples of a point. */
export const maxLaunches = 100;
/**
 * Five launches of four reads. In a simulation with launches 5 % apart and reads 5 % apart, the interval of the median
 * is then +- 7 %. Two launches of ten reads give +- 36 % and three of seven +- 13 %. Seven of three give +- 6 %, but
 * need more launches.
 */
export const defaultLaunches = 5;

/** One of the three arguments that set the delays. */
function delayArgument(description: string, preset: string) {
  return { isArgument: true, value: '<ms>', description, default: preset } as const;
}

/** An option whose value is its text: it is parsed together with others (options.ts). */
function text(value: string, description: string) {
  return { value, description };
}

/** The default delays are those of nhelfman/TestCDT; the default number of samples is enough for an interval. */
export const sweepTable = {
  start: delayArgument('first read delay, ms', '1'),
  end: delayArgument('last read delay, ms', '50'),
  increment: delayArgument('step between delays, ms', '10'),
  delays: text('<list>', 'read delays, such as 0,2,5,10 (ms), instead of the three arguments'),
  profile: text(
    '<name|file>',
    `also read with latencies drawn from a profile: ${shippedProfiles.map(({ name }) => name).join(', ')}, or a JSON file (nbd-live); alone unless delays are given`,
  ),
  samples: {
    value: '<n>',
    description: 'timed reads of each arm at each point; with --precision the minimum',
    default: '20',
    read: integerFrom(1, maxSamples),
  },
  launches: {
    value: '<n>',
    description: `browser launches that share the samples (default: ${defaultLaunches}; with the disk cache sql one for each read)`,
    read: integerFrom(1, maxLaunches),
  },
  arms: {
    value: '<list>',
    description: 'content codings: some of identity, gzip, br, zstd, dcb, dcz',
    default: 'br,dcb',
    read: someOf(codings, 'an arm'),
  },
  workload: text('<list>', `some of pdfjs, three, synthetic:SIZE (default: ${defaultWorkload})`),
  sizes: text(
    '<list>',
    'synthetic workloads, such as 10KiB,1MiB; added to --workload or --resource if it is given, otherwise they replace pdfjs',
  ),
  dictionary: text('<file>', 'older version of a file of your own, used as dictionary'),
  resource: text('<file>', 'newer version of that file, used as resource'),
  precision: {
    value: '<share>',
    description: `sample until both ends of each interval are within this share of the median, such as 3%, or every comparison is decided; at most ${count(defaultMostReadings)} reads of a cell`,
    read: quantity({ kind: 'share', from: '0.1%', to: '50%' }),
  },
  maxTime: {
    value: '<time>',
    description:
      'with --precision: start no pass beyond the planned ones after this time, such as 20m',
    read: quantity({ kind: 'time', from: '1s', to: '1000h' }),
  },
  margin: marginOption,
  diskCache: text(
    '<list>',
    'back end of the disk cache: simple, blockfile, sql; several are compared',
  ),
  cacheSize: text('<list>', 'limit of the HTTP cache, such as 64MiB; several are compared'),
  fileSystem: text(
    '<list>',
    'file system of the slow disk: ext4, xfs, btrfs; several are compared',
  ),
  readAhead: text(
    '<list>',
    'read-ahead of the slow disk, KiB, a multiple of 4; several are compared',
  ),
  variants: text(
    '<file>',
    'JSON file of browsers, flags and features to compare (harness/docs/sweep.md)',
  ),
  features: text('<list>', `feature presets to compare with the browser as it is: ${featureNames}`),
  recompress: {
    description:
      'also measure dictionary responses that Chromium recompresses before it stores them',
    default: true,
  },
  storage: storageOption('auto, dm-delay, nbd-live, nbd-delay or none (control only)'),
  state: {
    value: '<state>',
    description: 'page cache before each read: cold, file-cold (data dropped) or warm',
    default: 'cold',
    read: oneOf(pageCacheStates),
  },
  slow: text('<list>', 'what is on the slow disk: cache, dictionaries, profile (default: cache)'),
  firstLoads: {
    description: 'end each launch with loads from the network, with and without a dictionary',
  },
  link: {
    ...linkOption,
    description: `with --first-loads: ${linkOption.description}`,
  },
  delayWrites: { description: 'delay writes and flushes like reads' },
  writeDelay: text('<ms>', 'delay of each write'),
  flushDelay: text('<ms>', 'delay of each flush (not with nbd-delay)'),
  bandwidth: text(
    '<rate>',
    'bandwidth of the slow disk in each direction, as 20MB/s (not with dm-delay)',
  ),
  badReads: text('<share>', 'share of device reads that fail during timed reads, such as 1%'),
  trace: { description: 'trace one more read of each cell: its steps and its device reads' },
  witness: {
    value: '<name>',
    description: 'syscalls: as --trace, with the system calls of the network service (strace)',
    read: oneOf(['syscalls']),
  },
  headful,
} as const satisfies OptionTable;
