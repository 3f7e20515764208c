import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { printable } from '@cachescope/model/printable.ts';
import { CachescopeError, type ErrorDetails, messageOf } from './error.ts';
import type { Residency } from '@cachescope/model/run/page-cache-state.ts';
import { rootObstacle } from './environment/setup/root-access.mjs';
import {
  PageCachePreparer,
  type PageCacheRequest,
  preparerCommand,
} from './page-cache-preparer.ts';

/** Default time limit of a privileged command, ms. */
const defaultLimitMs = 30_000;

/** The directories of system programs are added in case the user's PATH omits them, as Debian's does. */
const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

/** Grace period after a command is told to exit, before it is killed, and then before it is abandoned, ms. */
const graceMs = 1000;

/** Options for running a privileged command. */
export interface CommandOptions {
  /** Time limit, ms. Default 30 s. */
  limitMs?: number;
  /** Its stdin. Default empty. */
  input?: string;
  /** Ends the command, whose error is then the signal's reason. Default: only its time limit ends it. */
  signal?: AbortSignal;
}

/** Runs the few commands that need root; no other code of this project does. */
export interface Privilege {
  readonly dryRun: boolean;
  /**
   * The files that the attached slow disks keep their data in. Whenever everything is dropped from the page cache, their
   * data is read back: else a read would wait for the slow disk's delay and then for the disk that holds the file.
   */
  readonly images: Set<string>;
  /** Why commands cannot be run as root: `there is no sudo`; null: they can. Found out once, by trying. */
  obstacle(): string | null;
  /**
   * Runs a command to its end and returns its stdout. In a dry run the command is shown and '' returned.
   *
   * @throws CachescopeError CS_PRIVILEGE (exit code 3) without the privilege, CS_COMMAND when the command fails.
   */
  run(argv: readonly string[], options?: CommandOptions): Promise<string>;
  /** Starts a program that keeps running in its own process group, so that a terminal's Ctrl-C does not reach it. */
  start(argv: readonly string[]): Promise<ChildProcess | null>;
  /** The same with pipes to its stdin and from its stdout. In a dry run the command is shown and null returned. */
  converse(argv: readonly string[]): Promise<ChildProcess | null>;
  /**
   * Evicts the page cache, dentries and inodes (Linux Documentation/admin-guide/sysctl/vm.rst, drop_caches). Dirty
   * pages stay in memory; those of the file system at `writtenBack` are written back first.
   */
  dropPageCache(writtenBack?: string): Promise<void>;
  /** Brings the page cache into a state (page-cache-preparer.ts). */
  preparePageCache(request: PageCacheRequest): Promise<Residency | null>;
}

/**
 * A command as a user would type it in bash: words with other characters are quoted, and control characters are written
 * as escapes (`$'a\\nb'`), so that the command is one line and does what it says.
 */
export function commandText(argv: readonly string[]): string {
  return argv.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (/^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)) return word;
  const plain = `'${word.replaceAll("'", String.raw`'\''`)}'`;
  if (printable(word) === word) return plain;
  const escaped = printable(word.replaceAll(/['\\]/g, String.raw`\$&`));
  // bash reads up to eight digits after \U.
  const digits = (_: string, code: string) => String.raw`\U${code.padStart(8, '0')}`;
  return `$'${escaped.replaceAll(/\\u\{([\da-f]+)\}/g, digits)}'`;
}

export function createPrivilege(options: {
  dryRun: boolean;
  say: (line: string) => void;
}): Privilege {
  const isRoot = process.getuid?.() === 0;
  const prefix = isRoot ? [] : ['sudo', '-n'];
  let known: string | null | undefined;
  const obstacle = () => (known === undefined ? (known = rootObstacle()) : known);

  function requirePrivilege(argv: readonly string[]): void {
    const reason = obstacle();
    if (reason === null) return;
    throw new CachescopeError('CS_PRIVILEGE', `${commandText(argv)} needs root, and ${reason}`, {
      hint: 'Run it as root, or allow sudo without a password; --dry-run shows every command that needs it.',
    });
  }

  function show(argv: readonly string[], input = ''): void {
    const typed = input === '' ? '' : `${commandText(['echo', input.trimEnd()])} | `;
    options.say(typed + commandText([...prefix, ...argv]));
  }

  async function startWith(argv: readonly string[], stdio: StdioOptions): Promise<ChildProcess> {
    requirePrivilege(argv);
    return startAs([...prefix, ...argv], stdio);
  }

  function startAs([program = '', ...args]: readonly string[], stdio: StdioOptions): ChildProcess {
    const child = spawn(program, args, { detached: true, stdio, env: environment });
    // Without a listener, a program that the kernel refuses to start would end this one before it has cleaned up.
    return child.on('error', () => undefined);
  }

  // Without root it can still drop and read the data of this user's own files.
  const preparer = new PageCachePreparer(async (argv) =>
    startAs(obstacle() === null ? [...prefix, ...argv] : argv, 'pipe'),
  );

  const images = new Set<string>();

  async function prepare(asked: PageCacheRequest): Promise<Residency | null> {
    const request = images.size > 0 ? { ...asked, images: [...images] } : asked;
    if (!options.dryRun) {
      if (asked.state === 'cold') requirePrivilege(['sysctl', 'vm.drop_caches=3']);
      return preparer.prepare(request);
    }
    show(preparerCommand, JSON.stringify(request));
    return null;
  }

  return {
    dryRun: options.dryRun,
    images,
    obstacle,
    async run(argv, { limitMs = defaultLimitMs, input = '', signal } = {}) {
      if (options.dryRun) {
        show(argv, input);
        return '';
      }
      requirePrivilege(argv);
      signal?.throwIfAborted();
      // A process of root accepts signals from root only. sudo passes them on.
      const end = ({ pid, exitCode, signalCode }: ChildProcess) => {
        if (exitCode !== null || signalCode !== null) return;
        endOf([...prefix, 'kill', `${pid}`], defaultLimitMs, '').catch(() => undefined);
      };
      const started = (child: ChildProcess) => signal?.addEventListener('abort', () => end(child));
      try {
        return await runToEnd([...prefix, ...argv], limitMs, input, started);
      } finally {
        signal?.throwIfAborted();
      }
    },
    async start(argv) {
      if (!options.dryRun) return startWith(argv, ['ignore', 'ignore', 'pipe']);
      show(argv);
      return null;
    },
    async converse(argv) {
      if (!options.dryRun) return startWith(argv, 'pipe');
      show(argv);
      return null;
    },
    async dropPageCache(writtenBack) {
      await prepare({ state: 'cold', path: writtenBack ?? null, files: null });
    },
    preparePageCache: prepare,
  };
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs without a shell, which would start a second program for each command. Runs in its own process group: a
 * terminal's Ctrl-C must not interrupt an umount.
 */
function endOf(
  argv: readonly string[],
  limitMs: number,
  input: string,
  started?: (child: ChildProcess) => void,
): Promise<Ended> {
  const [program = '', ...words] = argv;
  const child = spawn(program, words, { detached: true, env: environment });
  if (child.pid !== undefined) started?.(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (said[name] += chunk.toString()));
  // A program that does not read its input may close it.
  child.stdin.on('error', () => undefined).end(input);
  const limits = [
    setTimeout(() => endGroup(child, 'SIGTERM'), limitMs),
    setTimeout(() => endGroup(child, 'SIGKILL'), limitMs + graceMs),
  ];
  return new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...said }));
    // A process that hangs in the kernel, or belongs to another user, is not ended by our signals.
    const giveUp = () => {
      leaveAlone(child);
      // It may have exited while its child processes still hold its stdout.
      resolve({ code: child.exitCode, signal: child.signalCode, ...said });
    };
    limits.push(setTimeout(giveUp, limitMs + 2 * graceMs));
  }).finally(() => limits.forEach(clearTimeout));
}

function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // It has exited, or belongs to another user.
  }
}

/** Neither the process nor its output may keep this program from exiting. */
function leaveAlone(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) stream?.destroy();
}

/** The system forbids the call: a user namespace, a container or a security module. */
const refused = {
  exitCode: 3,
  hint: 'This machine or container does not allow it, even to root. --storage none measures without a slow disk.',
} as const;

function isRefusal(stderr: string): boolean {
  return /permission denied|operation not permitted|must be superuser/i.test(stderr);
}

async function runToEnd(
  argv: readonly string[],
  limitMs: number,
  input: string,
  started: (child: ChildProcess) => void,
): Promise<string> {
  const fail = (how: string, details: ErrorDetails = {}) =>
    new CachescopeError('CS_COMMAND', `${commandText(argv)} ${how}`, details);
  const { code, signal, stdout, stderr } = await endOf(argv, limitMs, input, started).catch(
    (error: unknown) => {
      throw fail(`could not be started: ${messageOf(error)}`);
    },
  );
  if (code === 0) return stdout;
  const limit = `(limit ${limitMs / 1000} s)`;
  if (code === null && signal === null) throw fail(`does not end ${limit}, and was left alone`);
  const how = signal ? `was ended by ${signal} ${limit}` : `ended with code ${code}`;
  throw fail(`${how}: ${stderr.trim() || 'no error output'}`, isRefusal(stderr) ? refused : {});
}
