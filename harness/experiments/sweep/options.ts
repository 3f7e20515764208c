import { dictionaryCodings } from '@cachescope/model/coding.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import type { StopRule, SweepPlan } from '@cachescope/model/sweep/run.ts';
import { readDelays } from './delay-points.ts';
import { maxLaunches, sweepTable, defaultLaunches } from './option-table.ts';
import { readTraces } from './trace-reading.ts';
import { readDevice, readSlowParts } from '../../options/device-reading.ts';
import { readProfile } from '../../options/profile-reading.ts';
import { type Factors, readFactorFlags } from '../../options/factor-reading.ts';
import type { Problems } from '../../options/option-reading.ts';
import {
  commandOptions,
  type CommandOptions,
  type OptionTexts,
  type OptionValues,
} from '../../options/option-table.ts';
import { readWorkloads, type WorkloadChoice } from '../../options/workload-reading.ts';

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

type Values = OptionValues<typeof sweepTable> & { seed: number };

export const sweepOptions: CommandOptions<SweepAsked> = commandOptions(sweepTable, askSweep);

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
  return Math.min(launches ?? (apart ? maxLaunches : defaultLaunches), samples);
}
