import { constants, existsSync, fstatSync, openSync, statSync } from 'node:fs';
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
import { savedSweep } from '@cachescope/model/sweep/run.ts';
import { besideFiles, lineFiles, readRunFiles } from '@cachescope/model/run/document.ts';
import { foreignLines, readForeignText } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { lightSamples } from './light-samples.ts';
import { appendLine, writeLines } from './line-file.ts';
import {
  makeDirectories,
  ownDirectoryMode,
  requireOwnDirectory,
  writeOutput,
} from './output-file.ts';

/** Names of the files that an experiment's measurements are appended to. */
type LineFiles = Pick<SavedExperiment<{ run: object }>, 'lineFile' | 'besideFile'>;

/** `2026-11-20T23:00:00.123Z` -> `20261120-230000`, as in the file names of the classic outputs. UTC. */
export function compactTime(iso: string): string {
  // Digits only: a saved run may come from elsewhere, and this becomes part of a path.
  const digits = iso.replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/** Default directory of a run: `results/2026-11-20T230000Z_sweep`. */
export function defaultRunDirectory(experiment: string, startedAt: string): string {
  const path = resolve('results', `${startedAt.slice(0, 19).replaceAll(':', '')}Z_${experiment}`);
  // Two runs may start in the same second.
  return existsSync(path) ? `${path}_${process.pid}` : path;
}

/**
 * The directory of a run in progress. Only its owner can read it. Once another directory has its path, everything that
 * writes throws CachescopeError CS_RUN_MOVED: another machine that starts the same shard moves the directory away.
 */
export class RunDirectory {
  readonly path: string;
  /** Open until the program ends: a file system may give a directory that nobody holds another inode number. */
  readonly #held: number;
  readonly #lineFile: string;
  readonly #besideFile: string | undefined;

  private constructor(path: string, { lineFile, besideFile }: LineFiles) {
    this.path = path;
    this.#held = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    this.#lineFile = join(path, lineFile);
    this.#besideFile = besideFile;
  }

  /**
   * Creates the directory.
   *
   * @throws CachescopeError CS_OUT_EXISTS when it exists: a run is never overwritten. CS_OUT when it cannot be created.
   */
  static async create(path: string, files: LineFiles): Promise<RunDirectory> {
    try {
      makeDirectories(dirname(path));
      await mkdir(path, { mode: ownDirectoryMode });
    } catch (error) {
      throw uncreated(path, error as NodeJS.ErrnoException);
    }
    const directory = new RunDirectory(path, files);
    writeOutput(directory.#lineFile, '');
    return directory;
  }

  /**
   * Opens a saved run, to append to it.
   *
   * @throws CachescopeError CS_RUN_OWNER when it belongs to another user.
   */
  static reopen(path: string, files: LineFiles): RunDirectory {
    requireOwnDirectory(path, 'Resume it as that user, or take a new run.');
    return new RunDirectory(path, files);
  }

  /**
   * Appends one line of the run, such as a sample, and waits until it is on the disk, so that a crash does not lose it.
   */
  async append(item: object): Promise<void> {
    this.#requireUnmoved();
    await appendLine(this.#lineFile, item);
  }

  /** The same for the second file, which not every experiment has. */
  async appendBeside(item: object): Promise<void> {
    if (this.#besideFile === undefined) throw new Error('this experiment has no second file');
    this.#requireUnmoved();
    await appendLine(join(this.path, this.#besideFile), item);
  }

  /** Writes all lines of a run that is merged from others, one at a time. */
  writeLines(items: Iterable<object>, beside: readonly object[]): void {
    writeLines(this.#lineFile, items);
    if (this.#besideFile !== undefined && beside.length > 0)
      writeLines(join(this.path, this.#besideFile), beside);
  }

  /** Replaces run.json, completely or not at all. */
  async writeRun(run: RunBase): Promise<void> {
    await this.write('run.json', `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Marks a saved run that has not ended as partial, synchronously: for a program that is about to exit. */
  markStopped(reason: string): void {
    const path = join(this.path, 'run.json');
    if (!existsSync(path)) return;
    this.#requireUnmoved();
    const run = JSON.parse(readRunText(path)) as Run;
    if (run.status !== 'running') return;
    const stopped = { ...run, status: 'partial', statusReason: reason };
    writeOutput(path, `${JSON.stringify(stopped, null, 2)}\n`);
  }

  /** Writes a file of the run, completely or not at all; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    this.#requireUnmoved();
    const path = join(this.path, name);
    writeOutput(path, content);
    return path;
  }

  /** Removes the directory of a run that never began: it has no run.json. */
  async close(): Promise<void> {
    if (existsSync(join(this.path, 'run.json'))) return;
    if (this.#isUnmoved()) await rm(this.path, { recursive: true });
  }

  #isUnmoved(): boolean {
    const now = statSync(this.path, { bigint: true, throwIfNoEntry: false });
    return now?.ino === fstatSync(this.#held, { bigint: true }).ino;
  }

  #requireUnmoved(): void {
    if (this.#isUnmoved()) return;
    throw new CachescopeError(
      'CS_RUN_MOVED',
      `${this.path} is no longer the directory of this run; nothing more was written to it`,
      {
        hint: 'The same shard may have been started on another machine: the samples so far are then in interrupted-NUMBER-NAME beside it.',
      },
    );
  }
}

function uncreated(path: string, error: NodeJS.ErrnoException): CachescopeError {
  return error.code === 'EEXIST'
    ? new CachescopeError(
        'CS_OUT_EXISTS',
        `${path} exists; a run is written to a new directory only`,
        { hint: 'Name another with --out DIR, or omit --out.' },
      )
    : new CachescopeError('CS_OUT', `${path} cannot be made: ${error.message}`, { cause: error });
}

/**
 * How a file of a run's directory is read, which may come from any source. At most 128 MiB: with its results
 * and its report a run takes up to seven times as much memory. Links are refused, because one could expose files that only this user may read.
 */
const runFileRules = { mostBytes: 128 * 1024 ** 2, refuseLinks: true };

/** More samples of sweeps than this are not held whole, bytes. */
const mostHeldBytes = 64 * 1024 ** 2;

/** The same for samples that are held without their evidence: about 1.2 million of them. */
const lightFileRules = { mostBytes: 2 * 1024 ** 3, refuseLinks: true };

/** The same for samples of which only results are held: 5 million measured ones have about 8.3 GB. */
export const streamedFileRules = { mostBytes: 10 * 1024 ** 3, refuseLinks: true };

/** Whether the samples of runs are too many to be held whole. */
export function areLarge(paths: readonly string[]): boolean {
  return sampleBytesOf(paths) > mostHeldBytes;
}

/** Size of the samples of all these runs, bytes. */
export function sampleBytesOf(paths: readonly string[]): number {
  const sizes = paths.map(
    (path) => statSync(join(path, lightFile), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Only sweeps have so many lines. */
const lightFile = savedSweep.lineFile;

function readRunText(path: string): string {
  return readForeignText(path, runFileRules);
}

/** The error for a directory that cannot be read as a run. */
export function invalidRun(path: string, problems: readonly string[]): CachescopeError {
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  return new CachescopeError('CS_RUN_INVALID', `${path} is not a readable run:${list}`, {
    hint: `Name the directory of a run: it holds run.json and ${lineFiles.join(' or ')}.`,
  });
}

/**
 * Reads a saved run of any experiment. A last line cut off by a crash is skipped and reported in the run's warnings,
 * and so is any other line that does not fit the schema: no values are guessed from it.
 *
 * `held`: `light` samples are held without their evidence, from which no result is computed (light-samples.ts); `none`:
 * the samples of a sweep are not read. Default: `light` when they are too many to be held whole.
 *
 * @throws CachescopeError CS_RUN_INVALID
 */
export async function readRunDirectory(
  path: string,
  held: 'whole' | 'light' | 'none' = areLarge([path]) ? 'light' : 'whole',
): Promise<RunDocument> {
  const names = ['run.json', ...lineFiles, ...besideFiles].filter((name) =>
    existsSync(join(path, name)),
  );
  if (!names.includes('run.json')) throw invalidRun(path, ['it holds no run.json']);
  try {
    const read = readRunFiles(
      names.map((name) => {
        const file = join(path, name);
        if (name === 'run.json') return { name, text: readRunText(file) };
        if (name !== lightFile || held === 'whole')
          return { name, lines: foreignLines(file, runFileRules) };
        if (held === 'none') return { name, lines: [], readElsewhere: true };
        return { name, lines: foreignLines(file, lightFileRules), kept: lightSamples() };
      }),
    );
    if ('value' in read) return read.value;
    throw invalidRun(path, read.problems);
  } catch (error) {
    throw error instanceof CachescopeError ? error : invalidRun(path, [messageOf(error)]);
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
  throw invalidRun(path, [`it is a run of ${document.run.experiment}, not of ${experiment}`]);
}
