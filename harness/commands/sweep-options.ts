import { accessSync, constants, statSync } from 'node:fs';
import { type Coding, codings, isCoding } from '@cachescope/model/coding.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { maxDelayMs } from '../storage/delay.ts';
import { isWorkloadName, knownNames } from '@cachescope/origin/workloads/catalog.ts';
import {
  checkDisplay,
  type Problems,
  readInteger,
  readOut,
  readStorage,
} from './option-reading.ts';

/** What the command line of `sweep` says, read and checked. */
export interface SweepOptions {
  /** Read delays of the slow device, ms, ascending. */
  delaysMs: number[];
  samplesPerCell: number;
  arms: Coding[];
  workload: { name: string } | { dictionary: string; resource: string };
  storage: 'auto' | StorageKind;
  delayWrites: boolean;
  browser: string | undefined;
  headful: boolean;
  seed: number;
  out: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** Delays, samples and their bounds when the command line is silent: those of the source document, and enough samples for an interval. */
export const sweepDefaults = {
  start: '1',
  end: '50',
  increment: '10',
  samples: '20',
  arms: 'br,dcb',
  workload: 'pdfjs',
  storage: 'auto',
} as const;

const maxPoints = 1000;
const maxSamples = 10_000;

/** The command line as text, before it is read. */
export interface RawSweepOptions {
  start: string;
  end: string;
  increment: string;
  samples: string;
  arms: string;
  workload?: string | undefined;
  dictionary?: string | undefined;
  resource?: string | undefined;
  storage: string;
  delayWrites: boolean;
  browser?: string | undefined;
  headful: boolean;
  seed?: string | undefined;
  out?: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** `1 50 10` -> 1, 11, 21, 31, 41: as the source document's loop does, the end is included only when a step falls on it. */
function readDelays(raw: RawSweepOptions, problems: Problems): number[] {
  const start = readInteger('start', raw.start, 0, maxDelayMs, problems);
  const end = readInteger('end', raw.end, 0, maxDelayMs, problems);
  const increment = readInteger('increment', raw.increment, 1, maxDelayMs, problems);
  if (end < start) problems.push(`end (${end} ms) is below start (${start} ms)`);
  const count = Math.floor((end - start) / increment) + 1;
  if (count > maxPoints)
    problems.push(`${count} delays from ${start} to ${end} ms; at most ${maxPoints} fit a sweep`);
  if (!(count >= 1 && count <= maxPoints)) return [];
  return Array.from({ length: count }, (_, index) => start + index * increment);
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

function checkFile(flag: string, path: string, problems: Problems): void {
  try {
    accessSync(path, constants.R_OK);
    const stat = statSync(path);
    if (!stat.isFile()) problems.push(`${flag} ${path} is no file`);
    else if (stat.size === 0) problems.push(`${flag} ${path} is empty; a workload needs bytes`);
  } catch (error) {
    problems.push(`${flag} ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function readWorkload(raw: RawSweepOptions, problems: Problems): SweepOptions['workload'] {
  const { dictionary, resource, workload } = raw;
  if (dictionary !== undefined || resource !== undefined) {
    if (workload !== undefined)
      problems.push('--workload and --dictionary/--resource exclude each other');
    if (dictionary === undefined)
      problems.push('--resource needs --dictionary, the older version of the same file');
    else checkFile('--dictionary', dictionary, problems);
    if (resource === undefined)
      problems.push('--dictionary needs --resource, the newer version of the same file');
    else checkFile('--resource', resource, problems);
    return { dictionary: dictionary ?? '', resource: resource ?? '' };
  }
  const name = workload ?? sweepDefaults.workload;
  if (!isWorkloadName(name)) {
    problems.push(`--workload ${JSON.stringify(name)} is not known; known are ${knownNames}`);
  }
  return { name };
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
    arms: readArms(raw.arms, problems),
    workload: readWorkload(raw, problems),
    storage: readStorage(raw.storage, problems),
    delayWrites: raw.delayWrites,
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
  if (options.headful) checkDisplay('--headful', '', problems);
  return { options, problems };
}
