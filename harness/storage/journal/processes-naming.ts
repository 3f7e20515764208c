import { basename } from 'node:path';
import { sleep } from 'zx';
import { argumentsOf, programOf, runningPids } from '../../processes.ts';
import { identityOf, type ProcessIdentity } from './process-identity.ts';
import type { Made } from './made.ts';

/** A running process that names a path on its command line. */
interface NamingProcess extends ProcessIdentity {
  /** `losetup`; the kernel keeps 15 characters. */
  program: string;
}

function processesWith(isMeant: (argument: string) => boolean): ProcessIdentity[] {
  return runningPids()
    .filter((pid) => argumentsOf(pid).some(isMeant))
    .map(identityOf)
    .filter((identity) => identity !== null);
}

/**
 * Running processes with one of the paths, or a path below it, as an argument of their command line. The unique path of
 * a work directory identifies our commands even when the program that started them was killed before it could record
 * their pids.
 */
export function processesNaming(paths: readonly string[]): NamingProcess[] {
  const found = processesWith((argument) =>
    paths.some((path) => argument === path || argument.startsWith(`${path}/`)),
  );
  return found.map((identity) => ({ ...identity, program: programOf(identity.pid) }));
}

/**
 * Chromium's processes, helpers included, whose profile is in a directory: they write to it until they exit. A helper
 * replaces its command line by one text with spaces between the words (chromium src base/process/set_process_title).
 */
export function browsersIn(directory: string): ProcessIdentity[] {
  const profile = `--user-data-dir=${directory}/`;
  return processesWith(
    (argument) => argument.startsWith(profile) || argument.includes(` ${profile}`),
  );
}

/** They run until they are terminated or their mount is gone. */
export const nbdServers: ReadonlySet<string> = new Set(['nbdfuse', 'nbdkit']);

/** Running nbdfuse and nbdkit processes that serve from a work directory. */
export function nbdServersIn(directory: string): ProcessIdentity[] {
  return processesNaming([directory])
    .filter(({ program }) => nbdServers.has(program))
    .map(({ program: _program, ...identity }) => identity);
}

/** nginx that was started in a directory. Its own text replaces its command line, with spaces between the words. */
export function nginxIn(directory: string): ProcessIdentity[] {
  const words = ` -p ${directory} -c ${directory}/nginx.conf `;
  return runningPids()
    .filter((pid) => argumentsOf(pid).join(' ').includes(words))
    .map(identityOf)
    .filter((identity) => identity !== null);
}

/** A server, or the sudo that started it, which ends after it. */
function isServer(pid: number, program: string): boolean {
  if (program !== 'sudo') return nbdServers.has(program);
  return argumentsOf(pid).some((word) => nbdServers.has(basename(word)));
}

/** Maximum wait for a command, ms: if it still blocks the undo, the undo reports it. */
const longestWaitMs = 5000;

/**
 * Waits for commands (losetup, mkfs, mount) on paths in our work directories that a killed program left running:
 * otherwise whatever such a command creates after its undo step would stay. Servers are not waited for; the undo ends
 * them.
 */
export async function commandsEnded(made: readonly Made[], limitMs = longestWaitMs): Promise<void> {
  // Other programs may name a file that the user chose on their command line; only paths in work directories count.
  const paths = made.flatMap((each) => (each.kind === 'directory' ? [each.path] : []));
  if (paths.length === 0) return;
  const isUnderWay = () =>
    processesNaming(paths).some(
      ({ pid, program }) => pid !== process.pid && !isServer(pid, program),
    );
  for (const end = Date.now() + limitMs; isUnderWay() && Date.now() < end;) await sleep(5);
}
