import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { $ } from 'zx';
import { CachescopeError } from './error.ts';

/** Default time that a privileged command may take, ms. */
const defaultLimitMs = 30_000;

/** A shell's exit code for a program that it does not find. */
const noSuchProgram = 127;

/** The system's programs are found also where a user's PATH leaves them out, as Debian's does. */
const environment = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin` };

/** How a privileged command is run. */
export interface CommandOptions {
  /** Default 30 s, ms. */
  limitMs?: number;
  /** What it reads from stdin. Default nothing. */
  input?: string;
}

/** Runs the few commands that need root; nothing else in the house does. */
export interface Privilege {
  readonly dryRun: boolean;
  /**
   * Runs a command to its end and returns its stdout. In a dry run the command is shown and '' returned.
   *
   * @throws CachescopeError CS_PRIVILEGE (exit code 3) without the privilege, CS_COMMAND when the command fails.
   */
  run(argv: readonly string[], options?: CommandOptions): Promise<string>;
  /** Starts a program that goes on running in a process group of its own, out of reach of a terminal's Ctrl-C. */
  start(argv: readonly string[]): Promise<ChildProcess | null>;
  /** Evicts the page cache, dentries and inodes (Linux Documentation/admin-guide/sysctl/vm.rst, drop_caches). */
  dropPageCache(): Promise<void>;
}

/** A command as a person would type it. */
export function commandText(argv: readonly string[]): string {
  return argv
    .map((word) =>
      /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word)
        ? word
        : `'${word.replaceAll("'", String.raw`'\''`)}'`,
    )
    .join(' ');
}

export function createPrivilege(options: {
  dryRun: boolean;
  say: (line: string) => void;
}): Privilege {
  const isRoot = process.getuid?.() === 0;
  const prefix = isRoot ? [] : ['sudo', '-n'];
  let checked = isRoot;

  async function requirePrivilege(argv: readonly string[]): Promise<void> {
    if (checked) return;
    const { exitCode } = await $({
      quiet: true,
      nothrow: true,
      timeout: defaultLimitMs,
    })`sudo -n true`;
    if (exitCode !== 0) {
      const reason = exitCode === noSuchProgram ? 'there is no sudo' : 'sudo asks for a password';
      throw new CachescopeError('CS_PRIVILEGE', `${commandText(argv)} needs root, and ${reason}`, {
        hint: 'Run it as root, or allow sudo without a password; --dry-run shows every command that needs it.',
        exitCode: 3,
      });
    }
    checked = true;
  }

  function show(argv: readonly string[], input = ''): void {
    const typed = input === '' ? '' : `${commandText(['echo', input.trimEnd()])} | `;
    options.say(typed + commandText([...prefix, ...argv]));
  }

  return {
    dryRun: options.dryRun,
    async run(argv, { limitMs = defaultLimitMs, input = '' } = {}) {
      if (options.dryRun) {
        show(argv, input);
        return '';
      }
      await requirePrivilege(argv);
      return runToEnd([...prefix, ...argv], limitMs, input);
    },
    async start(argv) {
      if (options.dryRun) {
        show(argv);
        return null;
      }
      await requirePrivilege(argv);
      const [program = '', ...args] = [...prefix, ...argv];
      const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
      return spawn(program, args, { detached: true, stdio, env: environment });
    },
    async dropPageCache() {
      const path = '/proc/sys/vm/drop_caches';
      if (options.dryRun) return show(['sysctl', 'vm.drop_caches=3']);
      if (isRoot) return writeFile(path, '3');
      await requirePrivilege(['sysctl', 'vm.drop_caches=3']);
      await runToEnd([...prefix, 'sysctl', '-q', 'vm.drop_caches=3'], defaultLimitMs);
    },
  };
}

async function runToEnd(argv: readonly string[], limitMs: number, input = ''): Promise<string> {
  const { exitCode, signal, stdout, stderr } = await $({
    quiet: true,
    nothrow: true,
    timeout: limitMs,
    env: environment,
    input,
    // In a process group of its own: a terminal's Ctrl-C must not cut an umount in two.
    detached: true,
  })`${argv}`;
  if (exitCode === 0) return stdout;
  const how = signal
    ? `was ended by ${signal} (limit ${limitMs / 1000} s)`
    : `ended with code ${exitCode}`;
  throw new CachescopeError(
    'CS_COMMAND',
    `${commandText(argv)} ${how}: ${stderr.trim() || 'no words'}`,
  );
}
