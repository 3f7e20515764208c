import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CachescopeError } from './error.ts';

const program = join(import.meta.dirname, 'evict-page-cache.py');

/** A slow disk may have a great deal to write back, ms. */
const limitMs = 300_000;

/** Starts a privileged program that reads lines and answers each with one. */
export type StartTalking = (argv: readonly string[]) => Promise<ChildProcess>;

/**
 * Writes back and drops the page cache by one program that stays: to start two for each read took longer than many reads. It
 * ends with this program, because its input then does. Does not keep this program from ending.
 */
export class PageCacheEvictor {
  readonly #start: StartTalking;
  #child: Promise<ChildProcess> | null = null;
  #waiting: { resolve: (answer: string) => void; reject: (error: unknown) => void }[] = [];

  constructor(start: StartTalking) {
    this.#start = start;
  }

  /**
   * Evicts the page cache, dentries and inodes, after what is not yet written of the file system at `path` was written back;
   * null: as it is.
   *
   * @throws CachescopeError CS_COMMAND when it fails.
   */
  async evict(path: string | null): Promise<void> {
    const child = await (this.#child ??= this.#begin());
    const [input, output] = [child.stdin, child.stdout as Socket | null];
    output?.ref();
    const limit = setTimeout(() => this.#end(`did not answer in ${limitMs / 1000} s`), limitMs);
    try {
      const answer = await new Promise<string>((resolve, reject) => {
        this.#waiting.push({ resolve, reject });
        input?.write(`${JSON.stringify(path)}\n`);
      });
      if (answer !== 'done') throw failure(answer);
    } finally {
      clearTimeout(limit);
      if (this.#waiting.length === 0) output?.unref();
    }
  }

  async #begin(): Promise<ChildProcess> {
    const child = await this.#start(['python3', '-I', program]).catch((error: unknown) => {
      this.#child = null;
      throw error;
    });
    let words = '';
    child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
    child.on('error', (error) => this.#end(`could not be started: ${error.message}`));
    child.on('close', (code, signal) =>
      this.#end(`ended with ${signal ?? `code ${code}`}: ${words.trim() || 'no words'}`),
    );
    child.stdin?.on('error', () => undefined);
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (line) =>
        this.#waiting.shift()?.resolve(line),
      );
    child.unref();
    for (const stream of child.stdio) (stream as Socket | null)?.unref();
    return child;
  }

  /** Whoever waits is told; the next eviction starts the program anew. */
  #end(how: string): void {
    this.#child = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(failure(how));
  }
}

function failure(how: string): CachescopeError {
  return new CachescopeError('CS_COMMAND', `python3 ${program} ${how}`);
}
