import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { CachescopeError } from '../../error.ts';
import { checked, parsedJson } from '@cachescope/model/parsed.ts';
import { readForeignText } from '@cachescope/origin/foreign-file.ts';
import {
  type JournalHead,
  type JournalLine,
  lineSchema,
  type Made,
  type StandingStorage,
} from './made.ts';
import { thisMachine } from './journal-machine.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';
import { journalDirectory, makeStateDirectory } from './state-directory.ts';

/** The journal of a machine's standing storage has a fixed name, so the file system itself allows only one. */
const standingName = (): string => `standing@${hostname().replaceAll(/[^\w.-]/g, '_')}`;

export interface JournalEntry {
  number: number;
  made: Made;
}

/**
 * Everything that was made and is not yet undone, written to disk before it is made, so that it can be undone after any
 * crash.
 */
export class Journal {
  /** null: kept in memory only, as in a dry run, and where the system shows no processes. */
  readonly path: string | null;
  #head: JournalHead;
  readonly #entries: Map<number, Made>;
  #next: number;
  /** The last line may be incomplete, and the next one must not join it. */
  #isTorn = false;
  /** Lines that could not be parsed. */
  readonly odd: readonly string[];

  private constructor(
    path: string | null,
    head: JournalHead,
    entries: Map<number, Made>,
    odd: readonly string[] = [],
  ) {
    this.odd = odd;
    this.path = path;
    this.#head = head;
    this.#entries = entries;
    this.#next = [...entries.keys()].reduce((most, number) => Math.max(most, number), -1) + 1;
  }

  /**
   * Creates a journal that this process owns.
   *
   * @throws CachescopeError CS_STORAGE_UP when standing storage exists already.
   */
  static begin(
    options: {
      standing?: StandingStorage | undefined;
      directory?: string;
      inMemory?: boolean;
    } = {},
  ): Journal {
    const startedAt = new Date().toISOString();
    const standing = options.standing ?? null;
    const shown = identityOf(process.pid);
    const owner = shown ?? { pid: process.pid, startTime: Number.NaN };
    const head = { owner, startedAt, machine: thisMachine(), standing };
    // Without /proc no later program could tell that this one has ended. Commands that need root refuse such a system.
    if (options.inMemory || shown === null) return new Journal(null, head, new Map());
    const directory = options.directory ?? journalDirectory();
    makeStateDirectory(directory);
    const unique = `${startedAt.replaceAll(/[-:.]/g, '')}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
    const path = join(directory, `${standing ? standingName() : unique}.ndjson`);
    // It is renamed only when its first line is complete: no crash leaves a journal without an owner.
    const draft = new Journal(join(directory, `${unique}.draft`), head, new Map());
    try {
      draft.#write({ head });
      linkSync(draft.path ?? '', path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new CachescopeError('CS_STORAGE_UP', 'storage is up already, or on its way up', {
        hint: `Change it with: npm run storage -- set MS; take it down with: npm run storage -- down. Its journal is ${path}.`,
      });
    } finally {
      rmSync(draft.path ?? '', { force: true });
    }
    return new Journal(path, head, new Map());
  }

  /**
   * Reads a journal; null when the file is not one, or was cut off before its first line was complete.
   *
   * @throws Error when it cannot be read, or has lines but none names its owner.
   */
  static read(path: string): Journal | null {
    let head: JournalHead | null = null;
    const entries = new Map<number, Made>();
    const odd: string[] = [];
    for (const [index, text] of textOf(path).split('\n').entries()) {
      const line = parseLine(text, `line ${index + 1}`);
      if (line === null) continue;
      if ('problems' in line) odd.push(...line.problems);
      else if ('head' in line) head = line.head;
      else if ('undone' in line) entries.delete(line.undone);
      else entries.set(line.number, line.make);
    }
    if (head) return new Journal(path, head, entries, odd);
    if (odd.length > 0) throw new Error(odd.join('; '));
    if (entries.size > 0) throw new Error('no line names its owner');
    return null;
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** True while the process that wrote it still runs: then it is not ours to undo. */
  get isOwned(): boolean {
    return isRunning(this.head.owner);
  }

  /** The entries that are not undone, in the order of creation. */
  get entries(): JournalEntry[] {
    return [...this.#entries].map(([number, made]) => ({ number, made }));
  }

  /** Records an entry before it is made, and waits until the record is on disk. */
  record(made: Made): number {
    const number = this.#next++;
    this.#entries.set(number, made);
    this.#write({ number, make: made });
    return number;
  }

  /** Adds details that are known only after creation: its device, its processes. */
  refine(number: number, made: Made): void {
    this.#entries.set(number, made);
    this.#write({ number, make: made });
  }

  /** Does nothing more where it cannot be written: undoing an entry twice does no harm. */
  undone(number: number): void {
    this.#entries.delete(number);
    this.#writeIfPossible({ undone: number });
  }

  /**
   * Makes this process the owner, so that no other process undoes it meanwhile. A full or read-only disk does not stop
   * it: what is undone may be what fills the disk.
   */
  claim(): void {
    // A crash may have cut off the last line.
    this.#isTorn = true;
    this.#head = { ...this.head, owner: thisProcess(), machine: thisMachine() };
    this.#writeIfPossible({ head: this.#head });
  }

  /** Records settings of standing storage for the program that uses it next. */
  note(change: Partial<StandingStorage>): void {
    const { standing } = this.head;
    if (standing) this.#setHead({ ...this.head, standing: { ...standing, ...change } });
  }

  /** Removes the file when nothing is left to undo; a file with lines that were not parsed is renamed instead. */
  end(): void {
    if (this.path === null || this.#entries.size > 0) return;
    if (this.odd.length > 0) renameSync(this.path, `${this.path}.set-aside`);
    else rmSync(this.path, { force: true });
  }

  #setHead(head: JournalHead): void {
    this.#head = head;
    this.#write({ head });
  }

  #writeIfPossible(line: JournalLine): void {
    try {
      this.#write(line);
    } catch (error) {
      if (!fullOrReadOnly.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }

  #write(line: JournalLine): void {
    if (this.path === null) return;
    const file = openSync(this.path, 'a', 0o600);
    const start = this.#isTorn ? '\n' : '';
    this.#isTorn = true;
    let bytes = 0;
    try {
      writeFileSync(file, `${start}${JSON.stringify(line)}\n`);
      fsyncSync(file);
      bytes = fstatSync(file).size;
    } finally {
      closeSync(file);
    }
    this.#isTorn = false;
    if (bytes > longBytes && this.odd.length === 0) this.#shorten(this.path);
  }

  /** Replaces the file by the lines that still apply: each change of the delay adds some. */
  #shorten(path: string): void {
    const made = this.entries.map((entry) => ({ number: entry.number, make: entry.made }));
    const lines = [{ head: this.#head }, ...made].map((line) => `${JSON.stringify(line)}\n`);
    const draft = path.replace(/\.ndjson$/, `-${process.pid}.draft`);
    writeFileSync(draft, lines.join(''), { mode: 0o600, flush: true });
    renameSync(draft, path);
  }
}

const fullOrReadOnly: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** A longer file is shortened to what still applies, bytes. */
const longBytes = 64 * 1024;

/** Maximum size of a journal, bytes: an entry has some hundred bytes. */
const mostBytes = 4 * 1024 ** 2;

/** '' when the file is gone: its owner may have removed it since it was listed. */
function textOf(path: string): string {
  return existsSync(path) ? readForeignText(path, { mostBytes, refuseLinks: true }) : '';
}

function thisProcess(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (!identity) throw new Error('/proc does not show this process');
  return identity;
}

/**
 * null for a line cut off by a crash: it was never acted on, because the entry it announced was not yet made. Any other
 * line that does not parse is a problem.
 */
function parseLine(text: string, place: string): JournalLine | { problems: string[] } | null {
  const json = parsedJson(place, text);
  if ('problems' in json) return text.trim() === '' || text.startsWith('{') ? null : json;
  const line = checked(place, lineSchema, json.value);
  return 'problems' in line ? line : line.value;
}
