import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import {
  type PageCacheState,
  type Residency,
  residencySchema,
} from '@cachescope/model/run/page-cache-state.ts';
import * as z from 'zod/mini';
import { CachescopeError } from './error.ts';

const program = join(import.meta.dirname, 'prepare-page-cache.py');

/** The program that runs as root, as a user would allow it in sudoers. It reads requests as lines of JSON. */
export const preparerCommand = ['python3', '-I', program] as const;

const answerSchema = z.nullable(z.union([z.object({ problem: z.string() }), residencySchema]));

/** Time limit, ms: a slow disk may have a great deal to write back. */
const limitMs = 300_000;

/** Starts a privileged program that reads lines and answers each with one line. */
export type StartTalking = (argv: readonly string[]) => Promise<ChildProcess>;

/** The requested state of the page cache. */
export interface PageCacheRequest {
  state: PageCacheState;
  /** A path on the file system that is written back first; null: none is. */
  path: string | null;
  /** The directory whose files get the state; null under `cold`, when everything is dropped. */
  files: string | null;
  /**
   * Under `cold`: the block device of the files, if only its pages are to be dropped; absent: everything is dropped.
   */
  device?: string | undefined;
  /** Files whose data is read back when everything was dropped; absent: none. */
  images?: readonly string[];
}

/** A running program, and who waits for its answers, in order. */
interface Program {
  child: ChildProcess;
  waiting: { resolve: (answer: string) => void; reject: (error: unknown) => void }[];
  /** Rejects the requests that wait for it, and lets it end. Nobody waits for what it still answers. */
  end: (how: string) => void;
}

/**
 * Writes back, drops and fills the page cache with one program that keeps running: starting two programs for each read
 * took longer than many reads. It exits with this program, because its stdin is closed then. It does not keep this
 * program from exiting.
 */
export class PageCachePreparer {
  readonly #start: StartTalking;
  #program: Promise<Program> | null = null;

  constructor(start: StartTalking) {
    this.#start = start;
  }

  /**
   * Brings the page cache into a state. Returns the files' residency afterwards; null under `cold`.
   *
   * @throws CachescopeError CS_COMMAND when it fails.
   */
  async prepare(request: PageCacheRequest): Promise<Residency | null> {
    const { child, waiting, end } = await (this.#program ??= this.#begin());
    const output = child.stdout as Socket | null;
    output?.ref();
    const late = `did not answer in ${limitMs / 1000} s`;
    const limit = setTimeout(() => end(late), limitMs);
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin?.write(`${JSON.stringify(request)}\n`);
      });
      return residencyOf(answer);
    } finally {
      clearTimeout(limit);
      if (waiting.length === 0) output?.unref();
    }
  }

  /** The next request after an end begins another program. */
  async #begin(): Promise<Program> {
    const child = await this.#start(preparerCommand).catch((error: unknown) => {
      this.#program = null;
      throw error;
    });
    const own = this.#program;
    const waiting: Program['waiting'] = [];
    const end = (how: string) => {
      if (this.#program === own) this.#program = null;
      child.stdin?.end();
      for (const { reject } of waiting.splice(0)) reject(failure(how));
    };
    let words = '';
    child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
    child.on('error', (error) => end(`could not be started: ${error.message}`));
    child.on('close', (code, signal) =>
      end(`ended with ${signal ?? `code ${code}`}: ${words.trim() || 'no error output'}`),
    );
    child.stdin?.on('error', () => undefined);
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(line));
    child.unref();
    for (const stream of child.stdio) (stream as Socket | null)?.unref();
    return { child, waiting, end };
  }
}

function residencyOf(answer: string): Residency | null {
  const json = parsedJson('its answer', answer);
  if ('problems' in json) throw failure(json.problems.join('; '));
  const found = checked('its answer', answerSchema, json.value);
  if ('problems' in found) throw failure(found.problems.join('; '));
  if (found.value !== null && 'problem' in found.value) throw failure(found.value.problem);
  return found.value;
}

function failure(how: string): CachescopeError {
  return new CachescopeError('CS_COMMAND', `python3 ${program} ${how}`);
}
