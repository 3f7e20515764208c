import { dictionaryCodings } from '@cachescope/model/coding.ts';
import type { StorageKind } from '@cachescope/model/run/sample.ts';
import { keepsPages } from '@cachescope/model/run/variant.ts';
import { defaultMargin } from '@cachescope/model/statistics/verdict.ts';
import type { StopRule, SweepPlan } from '@cachescope/model/sweep/run.ts';
import { maxLaunches, sweepTable, defaultLaunches } from './option-table.ts';
import { readDevice, readSlowParts } from '../../options/device-reading.ts';
import { readProfile } from '../../options/profile-reading.ts';
import { type Factors, readFactorFlags } from '../../options/factor-reading.ts';
import type { Problems, TextsOf } from '../../options/option-reading.ts';
import { delayRule, quantities, quantity } from '../../options/quantity-option.ts';
import {
  commandOptions,
  type CommandOptions,
  type OptionTexts,
  type OptionValues,
} from '../../options/option-table.ts';
import { requireUsed } from '../../options/unused-options.ts';
import { readWorkloads, type WorkloadChoice } from '../../options/workload-reading.ts';

/** The parsed options of `sweep`. */
export interface SweepAsked {
  /** The plan without the storage, which is found later, and the workloads, which are read later. */
  plan: Omit<SweepPlan, 'storage' | 'workload' | 'workloads'>;
  /** At least one. */
  workloads: WorkloadChoice[];
  storage: 'auto' | StorageKind;
}

type Values = OptionValues<typeof sweepTable> & { seed: number };

/** Options of the slow disk, which ordinary storage has not. */
const deviceOptions = [
  'delays',
  'profile',
  'fileSystem',
  'readAhead',
  'slow',
  'delayWrites',
  'writeDelay',
  'flushDelay',
  'bandwidth',
  'badReads',
];

export const sweepOptions: CommandOptions<SweepAsked> = commandOptions(sweepTable, askSweep);

/** Combines the values into the parsed options. A default that conflicts with a typed option is not used. */
export function askSweep(values: Values, problems: Problems, typed: OptionTexts): SweepAsked {
  const { arms, samples, storage, delayWrites, writeDelay, flushDelay, seed } = values;
  const isOwnPair = values.dictionary !== undefined || values.resource !== undefined;
  const isRange = ['start', 'end', 'increment'].some((word) => word in typed);
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
  const stopRule = stopRuleOf(asked);
  const { trace, witness } = values;
  // A delay is typed, or a default of the command (`explain`) and not of the arguments of `sweep`.
  const isDelayed = values.delays !== undefined || isRange;
  const recompress = asksToRecompress(values, factors, typed, problems);
  if ('launches' in typed && values.launches !== undefined && values.launches > samples)
    problems.push(
      `--launches ${values.launches} is above --samples ${samples}: some launches would be empty`,
    );
  const hasDevice = storage !== 'none';
  const noDevice = '--storage none has no slow disk';
  if (isRange && !hasDevice) problems.push(`start, end and increment: ${noDevice}`);
  requireUsed(
    typed,
    [
      { options: deviceOptions, isUsed: hasDevice, otherwise: noDevice },
      { options: ['link'], isUsed: values.firstLoads, otherwise: 'only with --first-loads' },
      { options: ['maxTime'], isUsed: stopRule !== undefined, otherwise: 'only with --precision' },
    ],
    problems,
  );
  if (values.profile !== undefined && !['auto', 'nbd-live', 'none'].includes(storage))
    problems.push(`--profile needs --storage nbd-live; ${storage} has one latency for all reads`);
  if (delayWrites && (writeDelay ?? flushDelay) !== undefined)
    problems.push('--delay-writes and --write-delay or --flush-delay exclude each other');
  return {
    workloads: readWorkloads(asked, problems),
    // Only the device of nbd-live draws latencies.
    storage: profile && storage === 'auto' ? 'nbd-live' : storage,
    plan: {
      arms,
      delaysMs: profile && !isDelayed ? [] : readDelays(asked, problems),
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
      ...(!stopRule && values.margin !== defaultMargin && { margin: values.margin }),
      ...(values.firstLoads && { firstLoads: true }),
      ...(values.link && { link: values.link }),
      ...((trace || witness) && { traces: { syscalls: witness !== undefined } }),
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

function stopRuleOf({ precision, maxTime, margin }: Values): StopRule | undefined {
  if (precision === undefined) return undefined;
  return { precision, margin, ...(maxTime !== undefined && { maxTimeMs: maxTime }) };
}

/** A default is at most one launch per read. A browser that keeps read data in memory needs a launch for each read. */
function launchesOf({ launches, samples }: Values, { settings, variants = [] }: Factors): number {
  const apart = [settings, ...variants].some((each) => keepsPages(each?.diskCache));
  return Math.min(launches ?? (apart ? maxLaunches : defaultLaunches), samples);
}

/** The arguments and options of the command line that set the delays; `delays` is a list instead of the arguments. */
export interface RawDelays extends Pick<Values, 'start' | 'end' | 'increment'>, TextsOf<'delays'> {
  /** True when any of the three arguments was typed. */
  ranged: boolean;
}

const maxPoints = 1000;
const readDelay = quantity(delayRule);
const readStep = quantity({ ...delayRule, from: '0.001ms' });

/**
 * `1 50 10` -> 1, 11, 21, 31, 41: as in the loop of nhelfman/TestCDT, the end is included only when a step falls on it.
 */
function range(raw: RawDelays, problems: Problems): number[] {
  const start = readDelay(raw.start, 'start', problems);
  const end = readDelay(raw.end, 'end', problems);
  const increment = readStep(raw.increment, 'increment', problems);
  if (end < start) problems.push(`end (${end} ms) is below start (${start} ms)`);
  // In whole microseconds, so that steps of 0.1 ms add up exactly.
  const [startUs, endUs, stepUs] = [start, end, increment].map((ms) => Math.round(ms * 1000));
  const us = { start: startUs ?? 0, end: endUs ?? 0, step: stepUs ?? 1 };
  const count = Math.floor((us.end - us.start) / us.step) + 1;
  if (count > maxPoints)
    problems.push(`${count} delays from ${start} to ${end} ms; a sweep has at most ${maxPoints}`);
  if (!(count >= 1 && count <= maxPoints)) return [];
  return Array.from({ length: count }, (_, index) => (us.start + index * us.step) / 1000);
}

/** The delays to measure at, ms, ascending; invalid input is reported in `problems`. */
export function readDelays(raw: RawDelays, problems: Problems): number[] {
  if (raw.delays === undefined) return range(raw, problems);
  if (raw.ranged)
    problems.push('--delays and the arguments start, end and increment exclude each other');
  return quantities(delayRule, maxPoints)(raw.delays, '--delays', problems);
}
