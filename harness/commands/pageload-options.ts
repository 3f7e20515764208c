import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type PageArm,
  pageArms,
  type PageState,
  pageStates,
} from '@cachescope/model/pageload-load.ts';
import type { Page } from '@cachescope/model/pageload-page.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { defaultMargin } from '@cachescope/model/statistics/verdict.ts';
import {
  isSamplePage,
  type SamplePage,
  samplePages,
} from '@cachescope/origin/workloads/pageload-samples.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import { maxDelayMs } from '../storage/delay.ts';
import {
  checkDisplay,
  type Problems,
  readEnvironmentRule,
  readInteger,
  readNumber,
  readOut,
  readPercentage,
  readStorage,
} from './option-reading.ts';

/** Where the page is taken from. */
export type PageChoice =
  | { from: 'har'; path: string }
  | { from: 'list'; path: string }
  | { from: 'url'; url: string; external: boolean }
  | { from: 'sample'; name: SamplePage };

/** What the command line of `pageload` says, read and checked. */
export interface PageloadOptions {
  page: PageChoice;
  bodies: Page['bodies'];
  /** Where the page is also to be written as a HAR; undefined: nowhere. */
  saveHar: string | undefined;
  states: PageState[];
  arms: PageArm[];
  delaysMs: number[];
  passes: number;
  serverDelayMs: number;
  margin: number;
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

/** Used where the command line is silent: every kind of load, and enough of each for an interval. */
export const pageloadDefaults = {
  bodies: 'synthetic',
  states: pageStates.join(','),
  arms: pageArms.join(','),
  launches: '6',
  serverDelay: '0',
  margin: `${defaultMargin * 100}%`,
  storage: 'auto',
  env: 'warn',
} as const;

const maxPasses = 1000;
const longestServerDelayMs = 10_000;

/** The command line as text, before it is read. */
export interface RawPageloadOptions {
  har?: string;
  list?: string;
  url?: string;
  sample?: string;
  external: boolean;
  bodies: string;
  saveHar?: string;
  states: string;
  arms: string;
  delay?: string;
  launches: string;
  serverDelay: string;
  margin: string;
  storage: string;
  env: string;
  wait: boolean;
  browser?: string;
  headful: boolean;
  seed?: string;
  out?: string;
  json: boolean;
  dryRun: boolean;
}

function readNames<Name extends string>(
  flag: string,
  text: string,
  known: readonly Name[],
  problems: Problems,
): Name[] {
  const words = text.split(',').map((word) => word.trim());
  const unknown = words.filter((word) => !known.some((name) => name === word));
  if (unknown.length > 0) {
    const said = unknown.map((word) => JSON.stringify(word)).join(', ');
    problems.push(`${flag} names ${said}; known are ${known.join(', ')}`);
  }
  // In the order in which everything is shown.
  return known.filter((name) => words.includes(name));
}

function readDelays(text: string | undefined, problems: Problems): number[] {
  if (text === undefined) return [];
  const delays = text
    .split(',')
    .map((word) => readNumber('--delay: a value', word.trim(), [0, maxDelayMs], 'ms', problems));
  if (new Set(delays).size < delays.length) problems.push(`--delay ${text} names a delay twice`);
  return delays.toSorted((one, other) => one - other);
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function readUrl(text: string, external: boolean, problems: Problems): PageChoice {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    problems.push(`--url ${JSON.stringify(text)} is no http: or https: URL`);
  else if (!external && !loopback.test(url.hostname))
    problems.push(
      `--url ${url.hostname} is not this machine; --external lets the recording, and nothing after it, contact that host and whatever its page names`,
    );
  return { from: 'url', url: text, external };
}

/** Exactly one of the four. */
function readPage(raw: RawPageloadOptions, problems: Problems): PageChoice {
  const { har, list, url, sample, external } = raw;
  const named = [har, list, url, sample].filter((each) => each !== undefined);
  if (named.length !== 1)
    problems.push(
      `name the page by one of --har FILE, --list FILE, --url URL and --sample NAME; ${named.length} are named`,
    );
  if (external && url === undefined) problems.push('--external is about --url, which is not named');
  if (list !== undefined) return { from: 'list', path: list };
  if (url !== undefined) return readUrl(url, external, problems);
  if (sample === undefined) return { from: 'har', path: har ?? '' };
  if (isSamplePage(sample)) return { from: 'sample', name: sample };
  const known = Object.keys(samplePages).join(', ');
  problems.push(`--sample is ${JSON.stringify(sample)}; known are ${known}`);
  return { from: 'sample', name: 'news' };
}

function readBodies(text: string, page: PageChoice, problems: Problems): Page['bodies'] {
  if (text !== 'synthetic' && text !== 'recorded') {
    problems.push(`--bodies is ${JSON.stringify(text)}; known are synthetic, recorded`);
    return 'synthetic';
  }
  if (text === 'recorded' && (page.from === 'list' || page.from === 'sample'))
    problems.push(`--bodies recorded: a ${page.from} keeps no bodies`);
  return text;
}

/** Where the archive goes: a new file in a folder that is there. */
function readSaveHar(
  path: string | undefined,
  page: PageChoice,
  problems: Problems,
): string | undefined {
  if (path === undefined) return undefined;
  if (page.from === 'list') problems.push('--save-har: a list has no archive');
  if (existsSync(path))
    problems.push(`--save-har ${path} exists; an archive is written to a new file only`);
  else if (!existsSync(dirname(resolve(path))))
    problems.push(`--save-har ${path}: there is no folder ${dirname(path)}`);
  return path;
}

/** Reads the command line of `pageload`. All that is wrong with it is returned, none of it thrown. */
export function readPageloadOptions(raw: RawPageloadOptions): {
  options: PageloadOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const page = readPage(raw, problems);
  const seed = raw.seed ?? String(Math.floor(Math.random() * 2 ** 32));
  const options: PageloadOptions = {
    page,
    bodies: readBodies(raw.bodies, page, problems),
    saveHar: readSaveHar(raw.saveHar, page, problems),
    states: readNames('--states', raw.states, pageStates, problems),
    arms: readNames('--arms', raw.arms, pageArms, problems),
    delaysMs: readDelays(raw.delay, problems),
    passes: readInteger('--launches', raw.launches, 1, maxPasses, problems),
    serverDelayMs: readNumber(
      '--server-delay',
      raw.serverDelay,
      [0, longestServerDelayMs],
      'ms',
      problems,
    ),
    margin: readPercentage('--margin', raw.margin, [0.1, 50], problems),
    storage: readStorage(raw.storage, problems),
    environment: readEnvironmentRule(raw.env, problems),
    wait: raw.wait,
    browser: raw.browser,
    headful: raw.headful,
    seed: readInteger('--seed', seed, 0, 2 ** 32 - 1, problems),
    out: readOut(raw.out, problems),
    json: raw.json,
    dryRun: raw.dryRun,
  };
  if (options.delaysMs.length > 0 && options.storage === 'none')
    problems.push('--delay needs storage with a delay; --storage none has none');
  if (options.headful) checkDisplay('--headful', '', problems);
  return { options, problems };
}
