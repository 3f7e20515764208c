import type { ChildProcess } from 'node:child_process';
import { CachescopeError } from '@cachescope/harness/error.ts';
import { commandText, type Privilege } from '@cachescope/harness/privilege.ts';

/** A program that a guest needs, started by this process. */
export interface GuestProcess {
  /** Its stderr so far. */
  words(): string;
  /** Settles when it has ended, with its exit code; null: a signal ended it. */
  ended: Promise<number | null>;
  /** Terminates it, unless it has ended. */
  end(): Promise<void>;
}

/**
 * Starts a program that is terminated after a time limit, and when this process ends: a hanging guest must not outlive
 * its test.
 *
 * @throws CachescopeError CS_PRIVILEGE without root.
 */
export async function startProcess(
  privilege: Privilege,
  argv: readonly string[],
  limitMs: number,
): Promise<GuestProcess> {
  const bounds = ['setpriv', '--pdeathsig', 'TERM', 'timeout', `${Math.ceil(limitMs / 1000)}`];
  const child = await privilege.start([...bounds, ...argv]);
  if (child === null) throw new CachescopeError('CS_GUEST', `a dry run starts no ${argv[0]}`);
  return watchProcess(child, privilege, argv);
}

function watchProcess(
  child: ChildProcess,
  privilege: Privilege,
  argv: readonly string[],
): GuestProcess {
  let words = '';
  let isOver = false;
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => {
      words += `${commandText(argv)}: ${error.message}`;
      resolve(null);
    });
    child.on('close', resolve);
  }).finally(() => (isOver = true));
  return {
    words: () => words,
    ended,
    async end() {
      if (isOver) return;
      // It may have ended just now.
      await privilege.run(['kill', '-s', 'TERM', `${child.pid}`]).catch(() => undefined);
      await ended;
    },
  };
}
