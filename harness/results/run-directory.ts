import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { RunBase } from '@cachescope/model/run/base.ts';
import type { SavedExperiment } from '@cachescope/model/run/experiment.ts';
import {
  type DocumentOf,
  type Experiment,
  isRunOf,
  type Run,
  type RunDocument,
} from '@cachescope/model/run/run.ts';
import { besideFiles, lineFiles, readRunFiles } from '@cachescope/model/run/document.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { appendLine } from './line-file.ts';
import {
  makeDirectories,
  ownDirectoryMode,
  requireOwnDirectory,
  writeOutput,
} from './output-file.ts';

/** Names of the files that an experiment's measurements are appended to. */
type LineFiles = Pick<SavedExperiment<{ run: object }>, 'lineFile' | 'besideFile'>;

/** `2026-11-20T23:00:00.123Z` -> `20261120-230000`, as in the names of the classic outputs. UTC. */
export function compactTime(iso: string): string {
  // Digits alone: a saved run is another's file, and this becomes part of a path.
  const digits = iso.replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/** Where a run goes when the user names no place: `results/2026-11-20T230000Z_sweep`. */
export function defaultRunDirectory(experiment: string, startedAt: string): string {
  const path = resolve('results', `${startedAt.slice(0, 19).replaceAll(':', '')}Z_${experiment}`);
  // Two that start in the same second.
  return existsSync(path) ? `${path}_${process.pid}` : path;
}

/** One run on disk, while it is written. Only its owner can read it. */
export class RunDirectory {
  readonly path: string;
  readonly #lineFile: string;
  readonly #besideFile: string | undefined;

  private constructor(path: string, { lineFile, besideFile }: LineFiles) {
    this.path = path;
    this.#lineFile = join(path, lineFile);
    this.#besideFile = besideFile;
  }

  /**
   * Makes the directory.
   *
   * @throws CachescopeError CS_OUT_EXISTS when there is one: a run is never written over another. CS_OUT when it cannot be
   * made.
   */
  static async create(path: string, files: LineFiles): Promise<RunDirectory> {
    const directory = new RunDirectory(path, files);
    try {
      makeDirectories(dirname(path));
      await mkdir(path, { mode: ownDirectoryMode });
    } catch (error) {
      throw uncreated(path, error as NodeJS.ErrnoException);
    }
    writeOutput(directory.#lineFile, '');
    return directory;
  }

  /**
   * Takes up a saved run, to append to it.
   *
   * @throws CachescopeError CS_RUN_OWNER when it belongs to another user.
   */
  static reopen(path: string, files: LineFiles): RunDirectory {
    requireOwnDirectory(path, 'Resume it as that user, or take a new run.');
    return new RunDirectory(path, files);
  }

  /** Appends one sample, or whatever a line of this run is, and waits until it is on the disk: a crash then loses none. */
  append(item: object): Promise<void> {
    return appendLine(this.#lineFile, item);
  }

  /** The same for the second file, which not every run has. */
  async appendBeside(item: object): Promise<void> {
    if (this.#besideFile === undefined) throw new Error('this experiment has no second file');
    await appendLine(join(this.path, this.#besideFile), item);
  }

  /** Writes all lines of a run that is made of others. */
  writeLines(items: readonly object[], beside: readonly object[]): void {
    const textOf = (lines: readonly object[]) =>
      lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeOutput(this.#lineFile, textOf(items));
    if (this.#besideFile !== undefined && beside.length > 0)
      writeOutput(join(this.path, this.#besideFile), textOf(beside));
  }

  /** Writes run.json anew, whole or not at all. */
  async writeRun(run: RunBase): Promise<void> {
    await this.write('run.json', `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Marks the saved run as partial, at once and without waiting: for a program that is about to end. */
  markStopped(reason: string): void {
    const path = join(this.path, 'run.json');
    if (!existsSync(path)) return;
    const run = JSON.parse(readRunText(path)) as Run;
    const stopped = { ...run, status: 'partial', statusReason: reason };
    writeOutput(path, `${JSON.stringify(stopped, null, 2)}\n`);
  }

  /** Writes a file of the run, whole or not at all; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name);
    writeOutput(path, content);
    return path;
  }

  /** The directory of a run that never began holds nothing, and is removed. */
  async close(): Promise<void> {
    if (!existsSync(join(this.path, 'run.json'))) await rm(this.path, { recursive: true });
  }
}

function uncreated(path: string, error: NodeJS.ErrnoException): CachescopeError {
  return error.code === 'EEXIST'
    ? new CachescopeError(
        'CS_OUT_EXISTS',
        `${path} exists; a run is written to a new directory only`,
        { hint: 'Name another with --out DIR, or leave --out away.' },
      )
    : new CachescopeError('CS_OUT', `${path} cannot be made: ${error.message}`, { cause: error });
}

/** A larger file is no run of ours, bytes: a text of V8 ends at 512 MiB. */
const mostFileBytes = 256 * 1024 ** 2;

/** A file in a run's directory, which may come from anybody: a link could show what only this user may read. */
function readRunText(path: string): string {
  return readForeignText(path, { mostBytes: mostFileBytes, refuseLinks: true });
}

function invalid(path: string, problems: readonly string[]): CachescopeError {
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  return new CachescopeError('CS_RUN_INVALID', `${path} is not a readable run:${list}`, {
    hint: `Name the directory of a run: it holds run.json and ${lineFiles.join(' or ')}.`,
  });
}

/**
 * Reads a saved run of any experiment. A last line cut off by a crash is left out and told in the run's warnings; so is
 * any other line that does not fit: nothing is guessed from it.
 *
 * @throws CachescopeError CS_RUN_INVALID
 */
export async function readRunDirectory(path: string): Promise<RunDocument> {
  const names = ['run.json', ...lineFiles, ...besideFiles].filter((name) =>
    existsSync(join(path, name)),
  );
  if (!names.includes('run.json')) throw invalid(path, ['it holds no run.json']);
  try {
    const files = names.map((name) => ({ name, text: readRunText(join(path, name)) }));
    const read = readRunFiles(files);
    if ('value' in read) return read.value;
    throw invalid(path, read.problems);
  } catch (error) {
    throw error instanceof CachescopeError ? error : invalid(path, [messageOf(error)]);
  }
}

/**
 * Reads a saved run of the named experiment.
 *
 * @throws CachescopeError CS_RUN_INVALID, also for the run of another experiment.
 */
export async function readRunOf<Name extends Experiment>(
  experiment: Name,
  path: string,
): Promise<DocumentOf<Name>> {
  const document = await readRunDirectory(path);
  if (isRunOf(experiment, document)) return document;
  throw invalid(path, [
    `it is a run of ${document.run.experiment}, and a run of ${experiment} is asked for`,
  ]);
}
