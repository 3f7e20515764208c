import { type Coding, codings, isCoding } from '@cachescope/model/coding.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { keepsPages } from '@cachescope/model/variant.ts';
import { defaultMargin } from '@cachescope/model/statistics/verdict.ts';
import type {
  DeviceFaults,
  PlannedDisk,
  SlowPart,
  StopRule,
  SweepPlan,
} from '@cachescope/model/sweep-run.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import { type RawDelays, readDelays } from './delay-points.ts';
import { type RawTraces, readTraces } from './trace-reading.ts';
import { readDisks } from './disk-reading.ts';
import { type RawDevice, readDevice, readSlowParts } from './device-reading.ts';
import { type Factors, type RawFactors, readFactorFlags } from './factor-reading.ts';
import {
  checkDisplay,
  type Problems,
  readEnvironmentRule,
  readInteger,
  readOut,
  readPercentage,
  readStorage,
  readTime,
} from './option-reading.ts';
import {
  defaultWorkload,
  type RawWorkloads,
  readWorkloads,
  type WorkloadChoice,
} from './workload-reading.ts';

/** What the command line of `sweep` says, read and checked. */
export interface SweepOptions extends Factors {
  /** Read delays of the slow device, ms, ascending. */
  delaysMs: number[];
  samplesPerCell: number;
  launchesPerPoint: number;
  arms: Coding[];
  /** At least one. */
  workloads: WorkloadChoice[];
  /** Take first loads too. */
  firstLoads: boolean;
  /** Read, too, what a hit would have to read if DCB were stored as DCB. */
  whatIf: boolean;
  /** Further disks to predict times for. */
  disks: PlannedDisk[] | undefined;
  /** Explain the run. */
  explain: boolean;
  storage: 'auto' | StorageKind;
  delayWrites: boolean;
  slow: SlowPart[] | undefined;
  device: DeviceFaults | undefined;
  /** undefined: no traced reads. */
  traces: SweepPlan['traces'];
  stopRule: StopRule | undefined;
  environment: EnvironmentRule;
  /** Wait for another run on this machine to end, instead of being refused. */
  wait: boolean;
  browser: string | undefined;
  headful: boolean;
  seed: number;
  out: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/**
 * Delays, samples and their bounds when the command line is silent: those of the source document, and enough samples for
 * an interval. Five launches of four reads: simulated with launches 5 % apart and reads 5 %, the median's interval is then
 * +- 7 %, where two launches of ten give +- 36 % and three of seven 13 %; seven of three give 6 %, at more launches.
 */
export const sweepDefaults = {
  start: '1',
  end: '50',
  increment: '10',
  samples: '20',
  launches: '5',
  arms: 'br,dcb',
  workload: defaultWorkload,
  storage: 'auto',
  env: 'warn',
  margin: `${defaultMargin * 100}%`,
} as const;

const maxSamples = 10_000;
const maxLaunches = 100;

/** The command line as text, before it is read. */
export interface RawSweepOptions extends RawTraces, RawDelays, RawDevice, RawFactors, RawWorkloads {
  samples: string;
  launches?: string | undefined;
  arms: string;
  firstLoads: boolean;
  whatIf: boolean;
  disk?: string[] | undefined;
  storage: string;
  delayWrites: boolean;
  precision?: string | undefined;
  maxTime?: string | undefined;
  margin: string;
  env: string;
  wait: boolean;
  browser?: string | undefined;
  headful: boolean;
  seed?: string | undefined;
  out?: string | undefined;
  json: boolean;
  dryRun: boolean;
}

function readArms(text: string, problems: Problems): Coding[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !isCoding(name));
  if (unknown.length > 0) {
    problems.push(
      `--arms names ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known are ${codings.join(', ')}`,
    );
  }
  if (new Set(names).size < names.length) problems.push(`--arms ${text} names an arm twice`);
  return names.filter(isCoding);
}

function readStopRule(raw: RawSweepOptions, problems: Problems): StopRule | undefined {
  const { precision, maxTime } = raw;
  const margin = readPercentage('--margin', raw.margin, [0.1, 50], problems);
  const maxTimeMs = maxTime === undefined ? undefined : readTime('--max-time', maxTime, problems);
  if (precision !== undefined) {
    const share = readPercentage('--precision', precision, [0.1, 50], problems);
    return { precision: share, margin, ...(maxTimeMs !== undefined && { maxTimeMs }) };
  }
  if (maxTime !== undefined)
    problems.push('--max-time ends sampling under --precision; give that too');
  return undefined;
}

/** On ordinary storage these would be accepted, do nothing, and stand in the result. */
function requireNoDevice(raw: RawSweepOptions, problems: Problems): void {
  const asked = {
    '--file-system': raw.fileSystem,
    '--read-ahead': raw.readAhead,
    '--slow': raw.slow,
    '--write-delay': raw.writeDelay,
    '--flush-delay': raw.flushDelay,
    '--bandwidth': raw.bandwidth,
    '--bad-reads': raw.badReads,
    '--delay-writes': raw.delayWrites || undefined,
  };
  const flags = Object.entries(asked).filter(([, value]) => value !== undefined);
  if (flags.length === 0) return;
  const names = flags.map(([name]) => name).join(', ');
  problems.push(`${names}: there is no slow disk with --storage none`);
}

/** Each read of a browser that keeps what it read needs a launch of its own. */
function readLaunches(
  { launches }: RawSweepOptions,
  { samplesPerCell, settings, variants = [] }: SweepOptions,
  problems: Problems,
): number {
  if (launches !== undefined) return readInteger('--launches', launches, 1, maxLaunches, problems);
  const apart = [settings, ...variants].some((each) => keepsPages(each?.diskCache));
  return apart ? Math.min(samplesPerCell, maxLaunches) : Number(sweepDefaults.launches);
}

/** Reads the command line of `sweep`. All that is wrong with it is returned, none of it thrown. */
export function readSweepOptions(raw: RawSweepOptions): {
  options: SweepOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const options: SweepOptions = {
    delaysMs: readDelays(raw, problems),
    samplesPerCell: readInteger('--samples', raw.samples, 1, maxSamples, problems),
    launchesPerPoint: 0,
    arms: readArms(raw.arms, problems),
    workloads: readWorkloads(raw, problems),
    firstLoads: raw.firstLoads,
    whatIf: raw.whatIf,
    disks: readDisks(raw.disk, problems),
    explain: false,
    storage: readStorage(raw.storage, problems),
    delayWrites: raw.delayWrites,
    slow: readSlowParts(raw.slow, problems),
    device: readDevice(raw, problems),
    traces: readTraces(raw, problems),
    ...readFactorFlags(raw, problems),
    stopRule: readStopRule(raw, problems),
    environment: readEnvironmentRule(raw.env, problems),
    wait: raw.wait,
    browser: raw.browser,
    headful: raw.headful,
    seed:
      raw.seed === undefined
        ? Math.floor(Math.random() * 2 ** 32)
        : readInteger('--seed', raw.seed, 0, 2 ** 32 - 1, problems),
    out: readOut(raw.out, problems),
    json: raw.json,
    dryRun: raw.dryRun,
  };
  options.launchesPerPoint = readLaunches(raw, options, problems);
  if (options.whatIf && !options.arms.includes('dcb'))
    problems.push('--what-if needs the arm dcb, whose parts it reads');
  if (options.headful) checkDisplay('--headful', '', problems);
  if (options.storage === 'none') requireNoDevice(raw, problems);
  if (raw.delayWrites && (raw.writeDelay ?? raw.flushDelay) !== undefined)
    problems.push('--delay-writes and --write-delay or --flush-delay exclude each other');
  return { options, problems };
}
