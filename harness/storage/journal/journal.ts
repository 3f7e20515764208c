import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { StorageKind } from '@cachescope/model/sample.ts';
import { CachescopeError } from '../error.ts';
import type { DiskOptions } from './device-properties.ts';
import type { FileIdentity } from './image.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';

/** Something that outlives the program unless it is undone. Written down before it is made. */
export type Made =
  /** A work directory of ours; its name begins with `cachescope-`. */
  | { kind: 'directory'; path: string }
  /** A mounted file system. */
  | { kind: 'mount'; path: string }
  /** A file system that nbdfuse serves, in a work directory of ours; with nbdfuse and nbdkit, once they run. */
  | { kind: 'fuse'; path: string; servers?: readonly ProcessIdentity[] }
  /** The loop device over this file, `/dev/loop3` once it has one. The file is what tells it from other programs'. */
  | { kind: 'loop'; backingFile: string; device?: string }
  | { kind: 'device-mapper'; name: string }
  /** A disk image at a place that the user named; without its identity it was not yet made. */
  | { kind: 'image'; path: string; file?: FileIdentity }
  /** An instance of the kernel's tracing (tracefs). */
  | { kind: 'tracing-instance'; path: string }
  /** A named network namespace (ip-netns(8)); its virtual cards go with it. */
  | { kind: 'network-namespace'; name: string }
  | { kind: 'process'; name: string; process: ProcessIdentity };

/** What a journal says of itself; its last such line holds. */
export interface JournalHead {
  /** Only the owner undoes what is listed; once it has ended, anybody may. */
  owner: ProcessIdentity;
  startedAt: string;
  /** Storage that is to stay when its owner ends (`storage up`), and what is needed to change it; else null. */
  standing: StandingStorage | null;
}

/** Storage that stays, with what it takes to change its delay. */
export interface StandingStorage extends DiskOptions {
  kind: StorageKind;
  /** Read delay that was last set, ms. */
  delayMs: number;
  /** True while bad reads are switched on. */
  readsFail?: boolean | undefined;
}

/** The journal of storage that stays has one name, so that the file system itself admits only one. */
const standingName = 'standing';

export interface JournalEntry {
  number: number;
  made: Made;
}

type Line = { head: JournalHead } | { number: number; make: Made } | { undone: number };

/** Where journals lie: one file for each owner that has something to undo. */
export function journalDirectory(environment: NodeJS.ProcessEnv = process.env): string {
  const state = environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state');
  return join(state, 'cachescope', 'storage');
}

/** What was made and is not yet undone, on disk before it exists, so that it can be undone after any crash. */
export class Journal {
  /** null: kept in memory only, as in a dry run. */
  readonly path: string | null;
  #head: JournalHead;
  readonly #entries: Map<number, Made>;
  #next: number;

  private constructor(path: string | null, head: JournalHead, entries: Map<number, Made>) {
    this.path = path;
    this.#head = head;
    this.#entries = entries;
    this.#next = Math.max(-1, ...entries.keys()) + 1;
  }

  /**
   * Begins a journal that this process owns.
   *
   * @throws CachescopeError CS_STORAGE_UP when other storage is to stay already.
   */
  static begin(
    options: {
      standing?: StandingStorage | undefined;
      directory?: string;
      inMemory?: boolean;
    } = {},
  ): Journal {
    const startedAt = new Date().toISOString();
    const head = { owner: thisProcess(), startedAt, standing: options.standing ?? null };
    if (options.inMemory) return new Journal(null, head, new Map());
    const directory = options.directory ?? journalDirectory();
    mkdirSync(directory, { recursive: true });
    const unique = `${startedAt.replaceAll(/[-:.]/g, '')}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
    const path = join(directory, `${options.standing ? standingName : unique}.ndjson`);
    // It gets its name only when its first line is whole: no crash leaves a journal without an owner.
    const draft = new Journal(join(directory, `${unique}.draft`), head, new Map());
    try {
      draft.#write({ head });
      linkSync(draft.path ?? '', path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      throw new CachescopeError('CS_STORAGE_UP', 'storage is up already, or on its way up', {
        hint: 'Change it with: npm run storage -- set MS; take it down with: npm run storage -- down',
      });
    } finally {
      rmSync(draft.path ?? '', { force: true });
    }
    return new Journal(path, head, new Map());
  }

  /** Reads a journal; null when the file is none, or was cut off before its first line was whole. */
  static read(path: string): Journal | null {
    let head: JournalHead | null = null;
    const entries = new Map<number, Made>();
    for (const text of textOf(path).split('\n')) {
      const line = parseLine(text);
      if (line === null) continue;
      if ('head' in line) head = line.head;
      else if ('undone' in line) entries.delete(line.undone);
      else entries.set(line.number, line.make);
    }
    return head && new Journal(path, head, entries);
  }

  /** Every journal on this machine and of this user, oldest first. */
  static all(directory: string = journalDirectory()): Journal[] {
    if (!existsSync(directory)) return [];
    const names = readdirSync(directory).filter((name) => name.endsWith('.ndjson'));
    return names
      .toSorted()
      .map((name) => Journal.read(join(directory, name)))
      .filter((journal) => journal !== null);
  }

  get head(): JournalHead {
    return this.#head;
  }

  /** True while the process that wrote it still runs: then it is not ours to undo. */
  get isOwned(): boolean {
    return isRunning(this.head.owner);
  }

  /** What is not undone, in the order it was made. */
  get entries(): JournalEntry[] {
    return [...this.#entries].map(([number, made]) => ({ number, made }));
  }

  /** Writes down what is about to be made, and waits until that is on disk. */
  record(made: Made): number {
    const number = this.#next++;
    this.#entries.set(number, made);
    this.#write({ number, make: made });
    return number;
  }

  /** Adds what is known of something only once it is made: its device, its processes. */
  refine(number: number, made: Made): void {
    this.#entries.set(number, made);
    this.#write({ number, make: made });
  }

  undone(number: number): void {
    this.#entries.delete(number);
    this.#write({ undone: number });
  }

  /** Makes this process the owner, so that nobody else undoes it meanwhile. */
  claim(): void {
    // A crash may have cut the last line off; the next one must not join it.
    if (this.path !== null) appendFileSync(this.path, '\n');
    this.#setHead({ ...this.head, owner: thisProcess() });
  }

  /** Notes what was set on storage that is to stay, for the program that asks for it next. */
  note(change: Partial<StandingStorage>): void {
    const { standing } = this.head;
    if (standing) this.#setHead({ ...this.head, standing: { ...standing, ...change } });
  }

  /** Removes the file, when nothing is left to undo. */
  end(): void {
    if (this.path !== null && this.#entries.size === 0) rmSync(this.path, { force: true });
  }

  #setHead(head: JournalHead): void {
    this.#head = head;
    this.#write({ head });
  }

  #write(line: Line): void {
    if (this.path === null) return;
    const file = openSync(this.path, 'a', 0o600);
    writeSync(file, `${JSON.stringify(line)}\n`);
    fsyncSync(file);
    closeSync(file);
  }
}

/** '' when the file is gone: its owner may have ended it since it was listed. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function thisProcess(): ProcessIdentity {
  const identity = identityOf(process.pid);
  if (!identity) throw new Error('/proc does not show this process');
  return identity;
}

/** A line that a crash cut off was never acted on: what it announced was not yet made. */
function parseLine(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? (value as Line | null) : null;
  } catch {
    return null;
  }
}
