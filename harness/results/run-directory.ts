import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { runSchema, schemaVersion, type Run } from '@cachescope/model/run.ts';
import { sampleSchema, type Sample } from '@cachescope/model/sample.ts';
import * as z from 'zod';
import { CachescopeError } from '../error.ts';

/** `2026-11-20T23:00:00.123Z` -> `20261120-230000`, as in the names of the classic outputs. UTC. */
export function compactTime(iso: string): string {
  // Digits alone: a saved run is another's file, and this becomes part of a path.
  const digits = iso.replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}`;
}

/** Where a run goes when the user names no place: `results/2026-11-20T230000Z_sweep`. */
export function defaultRunDirectory(experiment: string, startedAt: string): string {
  return resolve('results', `${startedAt.slice(0, 19).replaceAll(':', '')}Z_${experiment}`);
}

async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

/** One run on disk, while it is written. */
export class RunDirectory {
  readonly path: string;
  readonly #samples: Awaited<ReturnType<typeof open>>;

  private constructor(path: string, samples: Awaited<ReturnType<typeof open>>) {
    this.path = path;
    this.#samples = samples;
  }

  /** Makes the directory. Throws CS_OUT_EXISTS when there is one: a run is never written over another. */
  static async create(path: string): Promise<RunDirectory> {
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
    await mkdir(join(path, 'charts'), { recursive: true });
    return new RunDirectory(path, await open(join(path, 'samples.ndjson'), 'a'));
  }

  /** Appends one line and waits until it is on the disk: a crash after this loses no sample. */
  async append(sample: Sample): Promise<void> {
    await this.#samples.appendFile(`${JSON.stringify(sample)}\n`);
    await this.#samples.datasync();
  }

  /** Writes run.json anew, whole or not at all. */
  async writeRun(run: Run): Promise<void> {
    await replaceFile(join(this.path, 'run.json'), `${JSON.stringify(run, null, 2)}\n`);
  }

  /** Marks the saved run as partial, at once and without waiting: for a program that is about to end. */
  markStopped(reason: string): void {
    const path = join(this.path, 'run.json');
    if (!existsSync(path)) return;
    const run: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const stopped = { ...runSchema.parse(run), status: 'partial', statusReason: reason };
    writeFileSync(path, `${JSON.stringify(stopped, null, 2)}\n`);
  }

  /** Writes a file of the run; returns its path. */
  async write(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.path, name);
    await writeFile(path, content);
    return path;
  }

  /** Ends the writing of samples. The directory of a run that never began holds nothing, and is removed. */
  async close(): Promise<void> {
    await this.#samples.close();
    if (!existsSync(join(this.path, 'run.json'))) await rm(this.path, { recursive: true });
  }
}

function invalid(path: string, detail: string): CachescopeError {
  return new CachescopeError('CS_RUN_INVALID', `${path} is not a readable run: ${detail}`, {
    hint: 'Name the directory of a run: it holds run.json and samples.ndjson.',
    exitCode: 2,
  });
}

async function readRunFile(path: string): Promise<Run> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw invalid(path, error.message);
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw invalid(path, (error as Error).message);
  }
  const version = (json as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (version !== schemaVersion) {
    throw invalid(
      path,
      `its schema version is ${JSON.stringify(version)}, this program reads ${schemaVersion}`,
    );
  }
  const parsed = runSchema.safeParse(json);
  if (!parsed.success) throw invalid(path, z.prettifyError(parsed.error));
  return parsed.data;
}

/**
 * Reads a saved run. A last line cut off by a crash is left out and counted in `brokenLines`; so is any other line that
 * is no sample: nothing is guessed from it.
 *
 * @throws CachescopeError CS_RUN_INVALID
 */
export async function readRunDirectory(
  path: string,
): Promise<{ run: Run; samples: Sample[]; brokenLines: number }> {
  const run = await readRunFile(join(path, 'run.json'));
  const text = await readFile(join(path, 'samples.ndjson'), 'utf8').catch((error: Error) => {
    throw invalid(basename(path), error.message);
  });
  const samples: Sample[] = [];
  const sequences = new Set<number>();
  let brokenLines = 0;
  for (const line of text.split('\n').filter((candidate) => candidate !== '')) {
    const sample = parseSample(line);
    // A line that stands there twice is no second sample.
    const isNew = sample !== null && !sequences.has(sample.sequence);
    if (sample && isNew) samples.push(sample);
    if (sample) sequences.add(sample.sequence);
    if (!isNew) brokenLines++;
  }
  return { run, samples, brokenLines };
}

function parseSample(line: string): Sample | null {
  try {
    const parsed = sampleSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
