import { readFileSync } from 'node:fs';
import {
  type FillPlan,
  type FillSuite,
  type FillSystem,
  fillSystems,
  kindOf,
} from '@cachescope/model/fill-plan.ts';
import { type FillQuestionName, fillQuestions } from '@cachescope/model/fill-question.ts';
import type { StorageKind } from '@cachescope/model/sample.ts';
import type { EnvironmentRule } from '../environment/environment-rule.ts';
import {
  checkDisplay,
  type Problems,
  readEnvironmentRule,
  readInteger,
  readOut,
  readStorage,
} from './option-reading.ts';

/** What the command line of `fill` says, read and checked. */
export interface FillOptions {
  plan: FillPlan;
  /** Whether the user named the systems; otherwise all that can run are meant. */
  namesSystems: boolean;
  /** Path of a patched nginx. */
  nginx: string | undefined;
  storage: 'auto' | StorageKind;
  browser: string | undefined;
  headful: boolean;
  environment: EnvironmentRule;
  /** Wait for another run on this machine to end. */
  wait: boolean;
  out: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** The command line as text, before it is read. */
export interface RawFillOptions {
  systems?: string | undefined;
  suites: string;
  time: string;
  workers: string;
  size: string;
  rounds: string;
  questions: string;
  nginx?: string | undefined;
  storage: string;
  browser?: string | undefined;
  headful: boolean;
  seed?: string | undefined;
  env: string;
  wait: boolean;
  out?: string | undefined;
  json: boolean;
  dryRun: boolean;
}

/** Those of the benchmark that this follows. */
export const fillDefaults = {
  suites: 'full,1s,3s',
  time: '30',
  workers: '100',
  size: '30mb',
  rounds: '1',
  questions: 'all',
  storage: 'auto',
  env: 'warn',
} as const;

/** Chunks a second that a slow origin sends. */
const chunkHz = 10;
const mostWorkers = 10_000;
const longestTimeS = 3600;
const longestFileS = 600;
const largestFileBytes = 1024 ** 3;
/** Names for several systems at once. */
const groups: Record<string, readonly FillSystem[]> = {
  nginx: fillSystems.filter((system) => kindOf(system) === 'nginx'),
  edge: fillSystems.filter((system) => kindOf(system) === 'edge'),
  browser: fillSystems.filter((system) => system.startsWith('browser-')),
};

/** The systems that a name stands for; null: it is none. */
function systemsNamed(name: string): readonly FillSystem[] | null {
  const system = fillSystems.find((each) => each === name);
  if (system) return [system];
  // What every object inherits is no group.
  return Object.hasOwn(groups, name) ? (groups[name] ?? null) : null;
}

function readSystems(
  text: string | undefined,
  hasNginx: boolean,
  problems: Problems,
): FillSystem[] {
  const all = fillSystems.filter((system) => hasNginx || kindOf(system) !== 'patched nginx');
  if (text === undefined) return all;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => systemsNamed(name) === null);
  if (unknown.length > 0) {
    const known = [...Object.keys(groups), ...fillSystems].join(', ');
    problems.push(
      `--systems names ${unknown.map((n) => JSON.stringify(n)).join(', ')}; known are ${known}`,
    );
  }
  const systems = names.flatMap((name) => systemsNamed(name) ?? []);
  const wanting = systems.filter((system) => kindOf(system) === 'patched nginx');
  if (wanting.length > 0 && !hasNginx)
    problems.push(
      `--systems names ${wanting.join(', ')}, which need --nginx PATH: a patched binary`,
    );
  return [...new Set(systems)];
}

function readSuites(text: string, problems: Problems): FillSuite[] {
  const names = text.split(',').map((name) => name.trim());
  const suites = names.flatMap((name): FillSuite[] => {
    if (name === 'full') return [{ name, fileMs: 0 }];
    const [, digits] = /^(\d+(?:\.\d+)?)s$/.exec(name) ?? [];
    const seconds = Number(digits);
    if (seconds > 0 && seconds <= longestFileS) return [{ name, fileMs: seconds * 1000 }];
    problems.push(
      `--suites names ${JSON.stringify(name)}; it must be full, or how long a file takes, above 0 and up to ${longestFileS} s, such as 3s`,
    );
    return [];
  });
  if (new Set(names).size < names.length) problems.push(`--suites ${text} names a suite twice`);
  return suites;
}

function readSize(text: string, problems: Problems): number {
  const [, digits, unit = ''] = /^(\d+)(b|kb|mb)$/i.exec(text) ?? [];
  const factor = { b: 1, kb: 1024, mb: 1024 ** 2 }[unit.toLowerCase()] ?? Number.NaN;
  const bytes = Number(digits) * factor;
  if (bytes >= 1 && bytes <= largestFileBytes) return bytes;
  problems.push(`--size is ${JSON.stringify(text)}; it must be from 1b to 1024mb, such as 30mb`);
  return Number.NaN;
}

/** Files that this process may have open at once; null when that is not known. */
function mostOpenFiles(): number | null {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    // Node has raised its own limit to the hard one.
    const [, hard] = /^Max open files\s+\d+\s+(\d+)/m.exec(limits) ?? [];
    return hard === undefined ? null : Number(hard);
  } catch {
    return null;
  }
}

function readWorkers(text: string, problems: Problems): number {
  const workers = readInteger('--workers', text, 1, mostWorkers, problems);
  const most = mostOpenFiles();
  // A reader's connection has two ends here, and so has the one that a cache opens for it.
  const needed = 4 * workers + 256;
  if (most !== null && needed > most)
    problems.push(
      `--workers ${workers} needs ${needed} open files, and this process may have ${most}; raise it with: ulimit -n ${needed}`,
    );
  return workers;
}

function readQuestions(text: string, problems: Problems): FillQuestionName[] {
  if (text === 'all') return [...fillQuestions];
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const isKnown = (name: string): name is FillQuestionName =>
    fillQuestions.some((each) => each === name);
  const unknown = names.filter((name) => !isKnown(name));
  if (unknown.length > 0) {
    const known = ['all', 'none', ...fillQuestions].join(', ');
    problems.push(`--questions names ${unknown.join(', ')}; known are ${known}`);
  }
  return names.filter(isKnown);
}

function readPlan(raw: RawFillOptions, problems: Problems): FillPlan {
  const systems = readSystems(raw.systems, raw.nginx !== undefined, problems);
  const hasBrowser = systems.some((system) => kindOf(system) === 'browser');
  return {
    systems,
    suites: readSuites(raw.suites, problems),
    workers: readWorkers(raw.workers, problems),
    timeMs: 1000 * readInteger('--time', raw.time, 1, longestTimeS, problems),
    fileBytes: readSize(raw.size, problems),
    chunkHz,
    rounds: readInteger('--rounds', raw.rounds, 1, 100, problems),
    questions: hasBrowser ? readQuestions(raw.questions, problems) : [],
    seed:
      raw.seed === undefined
        ? Math.floor(Math.random() * 2 ** 32)
        : readInteger('--seed', raw.seed, 0, 2 ** 32 - 1, problems),
  };
}

/** Reads the command line of `fill`. All that is wrong with it is returned, none of it thrown. */
export function readFillOptions(raw: RawFillOptions): {
  options: FillOptions;
  problems: string[];
} {
  const problems: Problems = [];
  const options: FillOptions = {
    plan: readPlan(raw, problems),
    namesSystems: raw.systems !== undefined,
    nginx: raw.nginx,
    storage: readStorage(raw.storage, problems),
    browser: raw.browser,
    headful: raw.headful,
    environment: readEnvironmentRule(raw.env, problems),
    wait: raw.wait,
    out: readOut(raw.out, problems),
    json: raw.json,
    dryRun: raw.dryRun,
  };
  if (options.headful) checkDisplay('--headful', '', problems);
  return { options, problems };
}
