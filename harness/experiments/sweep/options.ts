import { type Coding, codings, dictionaryCodings, isCoding } from '@cachescope/model/coding.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { type PageCacheState, pageCacheStates } from '@cachescope/model/run/page-cache-state.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import type { StopRule, SweepPlan } from '@cachescope/model/sweep/run.ts';
import { readDelays } from './delay-points.ts';
import { readTraces } from './trace-reading.ts';
import { featureNames } from '../../options/features-reading.ts';
import { readDevice, readSlowParts } from '../../options/device-reading.ts';
import { readProfile, shippedProfiles } from '../../options/profile-reading.ts';
import { type Factors, readFactorFlags } from '../../options/factor-reading.ts';
import { asText, integerFrom, type Problems } from '../../options/option-reading.ts';
import { quantity } from '../../options/quantity-option.ts';
import {
  commandOptions,
  type CommandOptions,
  type OptionTable,
  type OptionTexts,
  type OptionValues,
} from '../../options/option-table.ts';
import { headful, marginOption, storageOption } from '../../options/shared-options.ts';
import {
  defaultWorkload,
  readWorkloads,
  type WorkloadChoice,
} from '../../options/workload-reading.ts';

/** The parsed options of `sweep`. */
export interface SweepAsked {
  /** The plan without the storage, which is found later, and the workloads, which are read later. */
  plan: Omit<SweepPlan, 'storage' | 'workload' | 'workloads'>;
  /** At least one. */
  workloads: WorkloadChoice[];
  /** Also read the data that a hit would have to read if DCB responses were stored as DCB. */
  whatIf: boolean;
  storage: 'auto' | StorageKind;
}

const maxSamples = 10_000;
const maxLaunches = 100;
/**
 * Five launches of four reads. In a simulation with launches 5 % apart and reads 5 % apart, the interval of the median
 * is then +- 7 %. Two launches of ten reads give +- 36 % and three of seven +- 13 %. Seven of three give +- 6 %, but
 * need more launches.
 */
const usualLaunches = 5;

/** The default delays are those of nhelfman/TestCDT; the default number of samples is enough for an interval. */
export const sweepTable = {
  start: {
    isArgument: true,
    value: '<ms>',
    description: 'first read delay, ms',
    default: '1',
    read: asText,
  },
  end: {
    isArgument: true,
    value: '<ms>',
    description: 'last read delay, ms',
    default: '50',
    read: asText,
  },
  increment: {
    isArgument: true,
    value: '<ms>',
    description: 'step between delays, ms',
    default: '10',
    read: asText,
  },
  delays: {
    value: '<list>',
    description: 'read delays, such as 0,2,5,10 (ms), instead of the three arguments',
    read: asText,
  },
  profile: {
    value: '<name|file>',
    description: `also read with latencies drawn from a profile: ${shippedProfiles.map(({ name }) => name).join(', ')}, or a JSON file (nbd-live); replaces the delays where none are given`,
    read: asText,
  },
  samples: {
    value: '<n>',
    description: 'timed reads of each arm at each point; with --precision the minimum',
    default: '20',
    read: integerFrom(1, maxSamples),
  },
  launches: {
    value: '<n>',
    description: `browser launches that share the samples (default: ${usualLaunches}; with the disk cache sql one for each read)`,
    read: integerFrom(1, maxLaunches),
  },
  arms: {
    value: '<list>',
    description: 'content codings: some of identity, gzip, br, zstd, dcb, dcz',
    default: 'br,dcb',
    read: readArms,
  },
  workload: {
    value: '<list>',
    description: `some of pdfjs, three, synthetic:SIZE (default: ${defaultWorkload})`,
    read: asText,
  },
  sizes: {
    value: '<list>',
    description: 'additional synthetic workloads, such as 10KiB,1MiB, or none',
    read: asText,
  },
  dictionary: {
    value: '<file>',
    description: 'older version of a file of your own, used as dictionary',
    read: asText,
  },
  resource: {
    value: '<file>',
    description: 'newer version of that file, used as resource',
    read: asText,
  },
  precision: {
    value: '<share>',
    description:
      'sample until each interval is this narrow, such as 3%, or the comparison is decided',
    read: quantity({ kind: 'share', from: '0.1%', to: '50%' }),
  },
  maxTime: {
    value: '<time>',
    description: 'with --precision: start no pass after this time, such as 20m',
    read: quantity({ kind: 'time', from: '1s', to: '1000h' }),
  },
  margin: marginOption,
  diskCache: {
    value: '<list>',
    description: 'back end of the disk cache: simple, blockfile, sql; several are compared',
    read: asText,
  },
  cacheSize: {
    value: '<list>',
    description: 'limit of the HTTP cache, such as 64MiB; several are compared',
    read: asText,
  },
  fileSystem: {
    value: '<list>',
    description: 'file system of the slow disk: ext4, xfs, btrfs; several are compared',
    read: asText,
  },
  readAhead: {
    value: '<list>',
    description: 'read-ahead of the slow disk, KiB, a multiple of 4; several are compared',
    read: asText,
  },
  variants: {
    value: '<file>',
    description: 'JSON file of browsers, flags and features to compare (harness/docs/sweep.md)',
    read: asText,
  },
  features: {
    value: '<list>',
    description: `feature presets to compare with the browser as it is: ${featureNames}`,
    read: asText,
  },
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
    read: readState,
  },
  slow: {
    value: '<list>',
    description: 'what is on the slow disk: cache, dictionaries, profile (default: cache)',
    read: asText,
  },
  firstLoads: {
    description: 'end each launch with loads from the network, with and without a dictionary',
  },
  whatIf: { description: 'also read the DCB body and the dictionary as entries of their own' },
  delayWrites: { description: 'delay writes and flushes like reads' },
  writeDelay: { value: '<ms>', description: 'delay of each write', read: asText },
  flushDelay: {
    value: '<ms>',
    description: 'delay of each flush (not with nbd-delay)',
    read: asText,
  },
  bandwidth: {
    value: '<rate>',
    description: 'bandwidth of the slow disk in each direction, as 20MB/s (not with dm-delay)',
    read: asText,
  },
  badReads: {
    value: '<share>',
    description: 'share of device reads that fail during timed reads, such as 1%',
    read: asText,
  },
  trace: { description: 'trace one more read of each cell: its steps and its device reads' },
  witness: {
    value: '<name>',
    description: 'syscalls: as --trace, with the system calls of the network service (strace)',
    read: asText,
  },
  headful,
} as const satisfies OptionTable;

type Values = OptionValues<typeof sweepTable> & { seed: number };

export const sweepOptions: CommandOptions<SweepAsked> = commandOptions(sweepTable, askSweep);

function readState(text: string, flag: string, problems: Problems): PageCacheState {
  const found = pageCacheStates.find((candidate) => candidate === text);
  if (found) return found;
  problems.push(`${flag} is ${JSON.stringify(text)}; known are ${pageCacheStates.join(', ')}`);
  return 'cold';
}

function readArms(text: string, flag: string, problems: Problems): Coding[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isCoding(name));
  if (unknown.length > 0) {
    problems.push(
      `${flag} names ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known are ${codings.join(', ')}`,
    );
  }
  if (new Set(names).size < names.length) problems.push(`${flag} ${text} names an arm twice`);
  return names.filter(isCoding);
}

/** The values of `--storage` with which a device can draw latencies. */
const profileStorages = new Set(['auto', 'nbd-live']);

/** Whether any delay was asked for, or is a default of the command (`explain`) and not of the arguments of `sweep`. */
function isDelayed({ delays }: Values, typed: OptionTexts): boolean {
  return delays !== undefined || ['start', 'end', 'increment'].some((word) => word in typed);
}

/** Combines the values into the parsed options. A default that conflicts with a typed option is not used. */
export function askSweep(values: Values, problems: Problems, typed: OptionTexts): SweepAsked {
  const { arms, samples, storage, delayWrites, writeDelay, flushDelay, seed } = values;
  const isOwnPair = values.dictionary !== undefined || values.resource !== undefined;
  const isRange = ['start', 'end', 'increment'].some((word) => word in typed);
  const hasDictionary = arms.includes('dcb');
  const whatIf = values.whatIf && (hasDictionary || 'whatIf' in typed);
  const asked = {
    ...values,
    workload: isOwnPair && !('workload' in typed) ? undefined : values.workload,
    delays: isRange && !('delays' in typed) ? undefined : values.delays,
    slow: storage === 'none' && !('slow' in typed) ? undefined : values.slow,
    ranged: isRange,
  };
  const profile = values.profile === undefined ? undefined : readProfile(values.profile, problems);
  const factors = readFactorFlags(asked, problems);
  const slow = readSlowParts(asked.slow, problems);
  const device = readDevice(asked, problems);
  const stopRule = stopRuleOf(asked, problems);
  const traces = readTraces(asked, problems);
  const recompress = asksToRecompress(values, factors, typed, problems);
  if (whatIf && !hasDictionary) problems.push('--what-if needs the arm dcb, whose parts it reads');
  if (storage === 'none') requireNoDevice(asked, problems);
  if (values.profile !== undefined && !profileStorages.has(storage) && storage !== 'none')
    problems.push(`--profile needs --storage nbd-live; ${storage} has one latency for all reads`);
  if (delayWrites && (writeDelay ?? flushDelay) !== undefined)
    problems.push('--delay-writes and --write-delay or --flush-delay exclude each other');
  return {
    workloads: readWorkloads(asked, problems),
    whatIf,
    // Only the device of nbd-live draws latencies.
    storage: profile && storage === 'auto' ? 'nbd-live' : storage,
    plan: {
      arms,
      delaysMs: profile && !isDelayed(values, typed) ? [] : readDelays(asked, problems),
      ...(profile && { profile }),
      delayWrites,
      samplesPerCell: samples,
      launchesPerPoint: launchesOf(asked, factors),
      seed,
      ...(values.headful && { headful: true }),
      ...(values.state !== 'cold' && { state: values.state }),
      ...(factors.settings && { settings: factors.settings }),
      ...(factors.variants && { variants: factors.variants }),
      ...(recompress && { recompress }),
      ...(slow && { slow }),
      ...(device && { device }),
      ...(stopRule && { stopRule }),
      ...(values.firstLoads && { firstLoads: true }),
      ...(traces && { traces }),
    },
  };
}

/**
 * Recompression is measured by default where possible. It is not with variants, which are compared only with each
 * other, and not without a dictionary coding, because Chromium stores responses of other codings as received.
 */
function asksToRecompress(
  { recompress, arms }: Values,
  { variants }: Factors,
  typed: OptionTexts,
  problems: Problems,
): boolean {
  const hasDictionary = arms.some((arm) => dictionaryCodings.includes(arm));
  if (recompress && 'recompress' in typed) {
    if (!hasDictionary) problems.push('--recompress needs the arm dcb or dcz');
    if (variants) problems.push('--recompress and variants exclude each other');
  }
  return recompress && hasDictionary && !variants;
}

function stopRuleOf(
  { precision, maxTime, margin }: Values,
  problems: Problems,
): StopRule | undefined {
  if (precision !== undefined)
    return { precision, margin, ...(maxTime !== undefined && { maxTimeMs: maxTime }) };
  if (maxTime !== undefined) problems.push('--max-time needs --precision');
  return undefined;
}

/** On ordinary storage these options would be accepted, have no effect, and still appear in the result. */
function requireNoDevice(values: Values, problems: Problems): void {
  const asked = {
    '--profile': values.profile,
    '--file-system': values.fileSystem,
    '--read-ahead': values.readAhead,
    '--slow': values.slow,
    '--write-delay': values.writeDelay,
    '--flush-delay': values.flushDelay,
    '--bandwidth': values.bandwidth,
    '--bad-reads': values.badReads,
    '--delay-writes': values.delayWrites || undefined,
  };
  const flags = Object.entries(asked).filter(([, value]) => value !== undefined);
  if (flags.length === 0) return;
  const names = flags.map(([name]) => name).join(', ');
  problems.push(`${names}: --storage none has no slow disk`);
}

/** At most one launch per read. A browser that keeps read data in memory needs a launch for each read. */
function launchesOf({ launches, samples }: Values, { settings, variants = [] }: Factors): number {
  const apart = [settings, ...variants].some((each) => keepsPages(each?.diskCache));
  return Math.min(launches ?? (apart ? maxLaunches : usualLaunches), samples);
}
