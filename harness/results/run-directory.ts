import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type DocumentOf,
  type Experiment,
  experiments,
  isRunOf,
  type Run,
  type RunDocument,
} from '@cachescope/model/run.ts';
import { besideFiles, lineFiles, readRunFiles } from '@cachescope/model/run-document.ts';
import { CachescopeError, messageOf } from '../error.ts';

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

const newLine = 0x0a;

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

/** One run on disk, while it is written. */
export class RunDirectory {
  readonly path: string;
  readonly #lines: Awaited<ReturnType<typeof open>>;

  private constructor(path: string, lines: Awaited<ReturnType<typeof open>>) {
    this.path = path;
    this.#lines = lines;
  }

  /** Makes the directory. Throws CS_OUT_EXISTS when there is one: a run is never written over another. */
  static async create(path: string, experiment: Experiment): Promise<RunDirectory> {
    if (existsSync(path)) {
      throw new CachescopeError(
        'CS_OUT_EXISTS',
        `${path} exists; a run is written to a new directory only`,
        {
          hint: 'Name another with --out DIR, or leave --out away.',
          exitCode: 2,
        },
      );
    }
    await mkdir(path, { recursive: true });
    const { lineFile } = experiments[experiment];
    return new RunDirectory(path, await open(join(path, lineFile), 'a'));
  }

  /**
   * Takes up a saved run, to append to it. A last line that a crash cut off stays as it is, and is ended, so that the
   * next one is whole.
   */
  static async reopen(path: string, experiment: Experiment): Promise<RunDirectory> {
    const file = join(path, experiments[experiment].lineFile);
    const text = await readFile(file);
    const lines = await open(file, 'a');
    if (text.length > 0 && text.at(-1) !== newLine) await lines.appendFile('\n');
    return new RunDirectory(path, lines);
  }

  /** Appends one sample, or whatever a line of this run is, and waits until it is on the disk: a crash then loses none. */
  async append(item: object): Promise<void> {
    await this.#lines.appendFile(`${JSON.stringify(item)}\n`);
    await this.#lines.datasync();
  }

  /** Writes run.json anew, whole or not at all. */
  async writeRun(run: Run): Promise<void> {
    await replaceFile(join(this.path, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Marks the saved run as partial, at once and without waiting: for a program that is about to end. */
  markStopped(reason: string): void {
    const path = join(this.path, 'run.json');
    if (!existsSync(path)) return;
    const run = JSON.parse(readFileSync(path, 'utf8')) as Run;
    const stopped = { ...run, status: 'partial', statusReason: reason };
    writeFileSync(path, `${JSON.stringify(stopped, null, 2)}\n`);
  }

  /** Writes a file of the run; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name);
    await writeFile(path, content);
    return path;
  }

  /** Ends the writing of lines. The directory of a run that never began holds nothing, and is removed. */
  async close(): Promise<void> {
    await this.#lines.close();
    if (!existsSync(join(this.path, 'run.json'))) await rm(this.path, { recursive: true });
  }
}

function invalid(path: string, problems: readonly string[]): CachescopeError {
  const list = problems.map((problem) => `\n  - ${problem}`).join('');
  return new CachescopeError('CS_RUN_INVALID', `${path} is not a readable run:${list}`, {
    hint: `Name the directory of a run: it holds run.json and ${lineFiles.join(' or ')}.`,
    exitCode: 2,
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
    const texts = names.map((name) => readFile(join(path, name), 'utf8'));
    const files = await Promise.all(texts);
    const read = readRunFiles(names.map((name, index) => ({ name, text: files[index] ?? '' })));
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
