import { type MicroCache, microCaches } from '@cachescope/model/micro-cache.ts';
import { type MicroPart, microParts } from '@cachescope/model/micro-slice.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { type DiskCacheBackEnd, diskCacheBackEnds } from '@cachescope/model/variant.ts';
import { largestEntryBytes } from '@cachescope/origin/routes/micro.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import { maxDelayMs } from '../storage/delay.ts';
import {
  checkDisplay,
  type Problems,
  readEnvironmentRule,
  readInteger,
  readOut,
  readStorage,
} from './option-reading.ts';

/** What the command line of `micro` says, read and checked. */
export interface MicroOptions {
  parts: MicroPart[];
  /** Set time of each row, ms. */
  timeMs: number;
  sizesBytes: number[];
  caches: MicroCache[];
  entries: number[];
  backEnds: DiskCacheBackEnd[];
  delaysMs: number[];
  launches: number;
  storage: 'auto' | StorageKind;
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

/** Used where the command line is silent: sizes and times of the document, and enough launches for an interval. */
export const microDefaults = {
  parts: microParts.join(','),
  time: '10',
  sizes: '50,1024,51200,524288',
  caches: microCaches.join(','),
  entries: '0,100,1000,10000,50000',
  backEnds: diskCacheBackEnds.join(','),
  launches: '5',
  storage: 'auto',
  env: 'warn',
} as const;

const maxTimeS = 3600;
const maxLaunches = 100;
const maxEntries = 200_000;
const maxListed = 16;

/** The command line as text, before it is read. */
export interface RawMicroOptions {
  parts: string;
  time: string;
  sizes: string;
  caches: string;
  entries: string;
  backEnds: string;
  delay?: string | undefined;
  launches: string;
  storage: string;
  env: string;
  wait: boolean;
  browser?: string | undefined;
  headful: boolean;
  seed?: string | undefined;
  out?: string | undefined;
  json: boolean;
  dryRun: boolean;
}

function words(flag: string, text: string, problems: Problems): string[] {
  const list = text.split(',').map((word) => word.trim());
  if (new Set(list).size < list.length) problems.push(`${flag} ${text} names something twice`);
  if (list.length > maxListed)
    problems.push(`${flag} names ${list.length} things; at most ${maxListed} fit a table`);
  return list;
}

function readNames<Name extends string>(
  flag: string,
  text: string,
  known: readonly Name[],
  problems: Problems,
): Name[] {
  const list = words(flag, text, problems);
  const unknown = list.filter((word) => !known.some((name) => name === word));
  if (unknown.length > 0) {
    const said = unknown.map((word) => JSON.stringify(word)).join(', ');
    problems.push(`${flag} names ${said}; known are ${known.join(', ')}`);
  }
  // In the order in which everything is shown.
  return known.filter((name) => list.includes(name));
}

function readNumbers(
  flag: string,
  text: string,
  [min, max]: readonly [number, number],
  problems: Problems,
): number[] {
  const list = words(flag, text, problems);
  const numbers = list.map((word) => readInteger(`${flag}: a value`, word, min, max, problems));
  return numbers.toSorted((one, other) => one - other);
}

/** Seconds, with fractions. */
function readTime(text: string, problems: Problems): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 0.1 && seconds <= maxTimeS) return seconds * 1000;
  problems.push(
    `--time is ${JSON.stringify(text)}; it must be a number of seconds from 0.1 to ${maxTimeS}`,
  );
  return Number.NaN;
}

/** Reads the command line of `micro`. All that is wrong with it is returned, none of it thrown. */
export function readMicroOptions(raw: RawMicroOptions): {
  options: MicroOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const options: MicroOptions = {
    parts: readNames('--parts', raw.parts, microParts, problems),
    timeMs: readTime(raw.time, problems),
    sizesBytes: readNumbers('--sizes', raw.sizes, [1, largestEntryBytes], problems),
    caches: readNames('--caches', raw.caches, microCaches, problems),
    entries: readNumbers('--entries', raw.entries, [0, maxEntries], problems),
    backEnds: readNames('--back-ends', raw.backEnds, diskCacheBackEnds, problems),
    delaysMs:
      raw.delay === undefined ? [] : readNumbers('--delay', raw.delay, [1, maxDelayMs], problems),
    launches: readInteger('--launches', raw.launches, 1, maxLaunches, problems),
    storage: readStorage(raw.storage, problems),
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
  if (options.delaysMs.length > 0 && options.storage === 'none')
    problems.push('--delay needs storage with a delay; --storage none has none');
  if (options.headful) checkDisplay('--headful', '', problems);
  return { options, problems };
}
