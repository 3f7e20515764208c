import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { differenceText } from '@cachescope/model/compare/build.ts';
import { differencesBetween } from '@cachescope/model/compare/conditions.ts';
import { comparableExperiments, comparableOf } from '@cachescope/model/compare/runs.ts';
import { type CompareSide, sideOf } from '@cachescope/model/compare/side.ts';
import { printable } from '@cachescope/model/printable.ts';
import type { Trust } from '@cachescope/model/run/trust.ts';
import { experiments, type RunDocument } from '@cachescope/model/run/run.ts';
import { CachescopeError, usageError } from '../../error.ts';
import { requireConditions } from '../compare/comparison.ts';
import { commandText } from '../../privilege.ts';
import {
  makeOutputDirectory,
  ownFileMode,
  requireOwnDirectory,
} from '../../results/output-file.ts';
import { writtenWhole } from '../../results/unfinished-output.ts';
import { compactTime, readRunDirectory } from '../../results/run-directory.ts';

/** Default folder of the baselines. */
export const defaultFolder = 'results/baselines';

/** A run that a baseline keeps. */
export interface KeptRun {
  path: string;
  document: RunDocument;
}

/** A baseline's name is used as a folder's name: no path, and not hidden. */
export function nameProblems(name: string): string[] {
  return /^\w[\w.-]{0,63}$/.test(name)
    ? []
    : [
        `NAME is ${JSON.stringify(name)}; it must be 1 to 64 letters, digits, dots, hyphens and underscores, and begin with none of "." and "-"`,
      ];
}

/** Names of all baselines, sorted; empty when the folder does not exist. */
export function baselineNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && nameProblems(entry.name).length === 0)
    .map(({ name }) => name)
    .toSorted();
}

/** Directories of a baseline's runs, ordered by start time; empty when the baseline does not exist. */
function keptPaths(folder: string, name: string): string[] {
  const place = join(folder, name);
  if (!existsSync(place)) return [];
  return readdirSync(place)
    .filter((entry) => !entry.startsWith('.'))
    .toSorted()
    .map((entry) => join(place, entry));
}

/**
 * The runs of a baseline, ordered by start time; at most the last `count`.
 *
 * @throws CachescopeError CS_BASELINE, exit code 2, when there are none; CS_RUN_INVALID for a run that cannot be read.
 */
export async function keptRuns(folder: string, name: string, count: number): Promise<KeptRun[]> {
  const paths = keptPaths(folder, name).slice(-count);
  if (paths.length === 0) {
    const names = baselineNames(folder);
    throw new CachescopeError('CS_BASELINE', `${folder} has no baseline ${name}`, {
      hint:
        names.length > 0
          ? `It has ${names.join(', ')}.`
          : `Keep a run: npm run baseline -- save ${name} DIR`,
    });
  }
  return Promise.all(
    paths.map(async (path) => ({ path, document: await readRunDirectory(resolve(path)) })),
  );
}

/**
 * The kept runs without the one that is compared, which may have been saved before. Two runs never start in the same
 * millisecond on one machine.
 *
 * @throws CachescopeError CS_BASELINE, exit code 2, when no other run is kept.
 */
export function runsBesides({ path, document }: KeptRun, kept: readonly KeptRun[]): KeptRun[] {
  const { startedAt } = document.run;
  const others = kept.filter((each) => each.document.run.startedAt !== startedAt);
  if (others.length > 0) return others;
  throw new CachescopeError('CS_BASELINE', `${path} is the only run of this baseline`, {
    hint: 'Keep an earlier run too, or compare a run before it is saved.',
  });
}

/**
 * Keeps a copy of a run: its measurements and environment, no derived files. Completely or not at all.
 *
 * @param across Conditions that may differ from those of the runs kept before.
 * @param isPoorAllowed True: a run whose trust is poor is kept too.
 * @returns Its directory.
 * @throws CachescopeError CS_BASELINE, exit code 2: for a run that is not complete, is poor, cannot be compared, or is
 * already kept. CS_RUNS_NOT_ALIKE, exit code 3. CS_USAGE when `across` names no condition.
 */
export async function keepRun(
  folder: string,
  name: string,
  from: string,
  across: readonly string[],
  isPoorAllowed = false,
): Promise<string> {
  const document = await readRunDirectory(resolve(from));
  requireKeepable(from, document, isPoorAllowed);
  const { run } = document;
  const path = join(folder, name, `${compactTime(run.startedAt)}_${run.experiment}`);
  if (existsSync(path))
    throw new CachescopeError('CS_BASELINE', `${name} keeps the run of ${run.startedAt} already`);
  const before = keptPaths(folder, name).at(-1);
  if (before !== undefined)
    requireAlike(
      { path: before, document: await readRunDirectory(resolve(before)) },
      { path: from, document },
      across,
    );
  const draft = join(folder, name, `.${randomBytes(6).toString('hex')}`);
  if (existsSync(folder)) requireOwnDirectory(folder, 'Name another folder: --folder DIR');
  makeOutputDirectory(join(folder, name));
  await writtenWhole(
    draft,
    {},
    () => makeOutputDirectory(draft),
    async () => {
      const { lineFile, besideFile } = experiments[run.experiment];
      for (const file of ['run.json', lineFile, ...(besideFile ? [besideFile] : [])]) {
        if (existsSync(join(from, file))) copyRunFile(join(from, file), join(draft, file));
      }
      renameSync(draft, path);
    },
  );
  return path;
}

/** Copies a file of any size. Reading the run has shown that it is a regular file, and no link. */
function copyRunFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const copy = openSync(to, 'r');
  fchmodSync(copy, ownFileMode);
  // Some file systems rename before they write the content: after a power cut the copy would be empty.
  fsyncSync(copy);
  closeSync(copy);
}

function requireKeepable(from: string, document: RunDocument, isPoorAllowed: boolean): void {
  const { status, experiment, merged } = document.run;
  const comparable = comparableOf(document);
  if (!comparable)
    throw new CachescopeError(
      'CS_BASELINE',
      `${from} is a run of ${experiment}; runs of ${comparableExperiments.join(', ')} can be compared`,
    );
  if (status !== 'complete')
    throw new CachescopeError(
      'CS_BASELINE',
      `${from} is ${status}: only a complete run can be a baseline`,
      {
        hint: merged
          ? `Take the missing shards, and merge again: npm run merge -- ${commandText([from])} SHARD... --out NEW`
          : `Complete it: npm run ${experiment} -- --resume ${commandText([from])}`,
      },
    );
  if (!isPoorAllowed) requireTrusted(from, comparable.trustOf(document));
}

/** Every later comparison with a poor run would be inconclusive. */
function requireTrusted(from: string, trust: Trust): void {
  if (trust.inconclusive === null) return;
  throw new CachescopeError('CS_BASELINE', `${from} is poor: ${trust.inconclusive}`, {
    hint: `Take the run again on a quiet machine. To keep it anyway, add --poor: comparisons with it get no verdict.`,
  });
}

function requireAlike(before: KeptRun, now: KeptRun, across: readonly string[]): void {
  const [against, of] = [sideOfKept(before, undefined), sideOfKept(now, undefined)];
  requireConditions(across, [against, of]);
  const found = differencesBetween(against.conditions, of.conditions, true).filter(
    ({ condition }) => !across.includes(condition),
  );
  if (found.length === 0) return;
  const list = found.map((difference) => `\n  - ${differenceText(difference)}`).join('');
  throw new CachescopeError(
    'CS_RUNS_NOT_ALIKE',
    `the run (B) differs from the last one kept (A) in conditions that results depend on:${list}`,
    {
      hint: `Keep it under another name. To continue the baseline across that difference, add: --across ${JSON.stringify(found.map(({ condition }) => condition).join(','))}`,
    },
  );
}

/** A kept run as a side of a comparison. @throws CachescopeError CS_USAGE for a metric that the run does not have. */
export function sideOfKept({ path, document }: KeptRun, metric: string | undefined): CompareSide {
  const side = sideOf(printable(path), { run: document }, {}, metric);
  if ('problems' in side) throw usageError(side.problems);
  return side.value;
}
