import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sleep } from 'zx';
import { CachescopeError, messageOf } from '../../error.ts';
import { commandText, type Privilege } from '../../privilege.ts';
import { fileSystemLimitMs } from '../delay.ts';
import {
  browsersIn,
  commandsEnded,
  nbdServersIn,
  nginxIn,
  processesNaming,
} from './processes-naming.ts';
import { isMapped, withoutDelays } from '../back-ends/device-mapper.ts';
import { doubtOf } from './confirmation.ts';
import type { Journal } from './journal.ts';
import type { Made } from './made.ts';
import { loopDevicesOver } from '../loop-devices.ts';
import { isMounted, mountsBelow } from '../mounts.ts';
import { withoutLiveDelays } from '../back-ends/live-control.ts';
import { namespaceUsersOf, usersOf } from './open-files.ts';
import { identityOf, isRunning, type ProcessIdentity } from './process-identity.ts';
import { possibleTwins } from './short-twin.ts';
import {
  isOurs,
  namespacePath,
  dryRunCommands,
  serversOf,
  undoCommands,
  unfinishedIn,
} from './undo-commands.ts';

/** A device stays busy for a moment after its last user; umount and similar commands are retried for this long, ms. */
const busyLimitMs = 3000;
/**
 * A loop device is removed when its last reader closes it, and udev's probing of a slow disk may take this long, ms.
 */
const loopLimitMs = 30_000;
/** Time limit for a program to exit by itself, ms; and for a killed one, which only needs to be scheduled. */
const endLimitMs = 3000;
const killedLimitMs = 30_000;
const firstPauseMs = 20;
const longestPauseMs = 500;

/** Repeats the commands, with pauses that double, until the machine shows that nothing is left. */
async function runUntilGone(made: Made, privilege: Privilege, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    let last: unknown;
    for (const argv of undoCommands(made)) {
      await privilege
        .run(argv, { limitMs: fileSystemLimitMs })
        .catch((error: unknown) => (last = error));
    }
    const left = undoCommands(made);
    if (left.length === 0) return;
    if (Date.now() >= end) {
      const words = left.map(commandText).join('; ');
      throw new CachescopeError(
        'CS_STORAGE_BUSY',
        useOf(made) ?? (last ? messageOf(last) : `${words} changed nothing`),
      );
    }
    await sleep(pauseMs);
  }
}

/** Which processes keep an entry from being undone, in a sentence; null: none was found. */
function useOf(made: Made): string | null {
  if (made.kind === 'mount') {
    const users = usersOf(made.path);
    return users.length === 0 ? null : `${made.path} is in use by ${users.join(', ')}`;
  }
  if (made.kind !== 'loop') return null;
  const [device, ...users] = loopDevicesOver(made.backingFile).flatMap((each) => {
    const found = namespaceUsersOf(each);
    return found.length === 0 ? [] : [each, ...found];
  });
  return device === undefined
    ? null
    : `${device} is mounted in another mount namespace, of ${users.join(', ')}`;
}

async function hasEnded(process: ProcessIdentity, limitMs = endLimitMs): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(5)) {
    if (!isRunning(process)) return true;
  }
  return !isRunning(process);
}

async function endProcess(process: ProcessIdentity, privilege: Privilege): Promise<void> {
  for (const signal of ['TERM', 'KILL']) {
    if (!isRunning(process)) return;
    await privilege.run(['kill', '-s', signal, `${process.pid}`]).catch(() => undefined);
    if (await hasEnded(process, signal === 'KILL' ? killedLimitMs : endLimitMs)) return;
  }
  throw new CachescopeError('CS_STORAGE_PROCESS', `process ${process.pid} does not end`);
}

/** nbdfuse exits by itself when its mount is gone; nbdkit would keep running. */
async function endServers(made: Made & { kind: 'fuse' }, privilege: Privilege): Promise<void> {
  for (const server of serversOf(made)) await endProcess(server, privilege);
}

/** Deletes a work directory, never through a mount. */
async function removeDirectory(path: string, privilege: Privilege): Promise<void> {
  for (const twin of possibleTwins(path)) await rm(twin, { recursive: true, force: true });
  if (!existsSync(path)) return;
  const mounted = mountsBelow(path);
  if (mounted.length > 0) {
    throw new CachescopeError(
      'CS_STORAGE_DIRECTORY',
      `${path} still holds the mount ${mounted.join(', ')}`,
    );
  }
  // A server that started after its own undo step would serve deleted files.
  for (const server of [...nbdServersIn(path), ...nginxIn(path)])
    await endProcess(server, privilege);
  // A browser whose program was killed exits by itself, its helpers after it, and it may start another until then. Files
  // that they write after the removal would stay forever.
  for (let found = browsersIn(path); found.length > 0; found = browsersIn(path)) {
    for (const browser of found) {
      if (!(await hasEnded(browser))) await endProcess(browser, privilege);
    }
  }
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}

/** Only root can see whether it exists. When it does not, nothing is left to undo. */
async function removeInstance(path: string, privilege: Privilege): Promise<void> {
  await privilege.run(['rmdir', path]).catch(async (error: unknown) => {
    await privilege.run(['test', '!', '-e', path]).catch(() => {
      throw error;
    });
  });
}

/** Commands that name a namespace, among them one that is about to make it, and the processes in it. */
async function usersOfNamespace(
  made: Made & { kind: 'network-namespace' },
  privilege: Privilege,
): Promise<ProcessIdentity[]> {
  const inside = existsSync(namespacePath(made))
    ? await privilege.run(['ip', 'netns', 'pids', made.name]).catch(() => '')
    : '';
  const found = inside.split('\n').filter(Boolean).map(Number).map(identityOf);
  return [...processesNaming([made.name]), ...found.filter((identity) => identity !== null)];
}

async function undoOne(made: Made, privilege: Privilege): Promise<void> {
  switch (made.kind) {
    case 'directory':
      return removeDirectory(made.path, privilege);
    case 'image':
      return isOurs(made) ? rm(made.path) : undefined;
    case 'output':
      // This program may still be writing in it, until its next file has no directory.
      for (const path of unfinishedIn(made))
        await rm(path, { recursive: true, maxRetries: 20, retryDelay: 100 });
      return;
    case 'process':
      return endProcess(made.process, privilege);
    case 'tracing-instance':
      return removeInstance(made.path, privilege);
    case 'fuse':
      if (isMounted(made.path))
        await runUntilGone({ ...made, kind: 'mount' }, privilege, busyLimitMs);
      return endServers(made, privilege);
    case 'loop':
      return runUntilGone(made, privilege, loopLimitMs);
    case 'network-namespace':
      for (const user of await usersOfNamespace(made, privilege)) await endProcess(user, privilege);
      return runUntilGone(made, privilege, busyLimitMs);
    case 'mount':
    case 'device-mapper':
      return runUntilGone(made, privilege, busyLimitMs);
  }
}

/**
 * Undoes one entry. A resource that blocks it may have been made after its own undo step: the command line of a process
 * that a killed program had just forked does not identify it yet. So the entries above it are undone once more, and
 * then the entry.
 */
async function undoUnder(above: readonly Made[], made: Made, privilege: Privilege): Promise<void> {
  try {
    await undoOne(made, privilege);
  } catch (error) {
    if (above.length === 0) throw error;
    for (const late of above) await undoOne(late, privilege);
    await undoOne(made, privilege);
  }
}

/**
 * A crash may have left a device with a delay of seconds, or suspended: then an unmount would hang. Resuming a running
 * device only activates the table that was loaded.
 */
async function removeDelays(made: Made, privilege: Privilege): Promise<void> {
  if (made.kind === 'fuse') withoutLiveDelays(dirname(made.path));
  if (made.kind !== 'device-mapper' || !isMapped(made.name)) return;
  // If a command fails here, the unmount and the removal report it.
  const run = (...words: string[]) => privilege.run(['dmsetup', ...words]).catch(() => '');
  const still = withoutDelays(await run('table', made.name));
  if (still !== null) await run('load', made.name, '--table', still);
  await run('resume', made.name);
}

async function dryRun(made: Made, privilege: Privilege): Promise<void> {
  for (const argv of dryRunCommands(made)) await privilege.run(argv);
}

/**
 * Undoes the entries of a journal in reverse order, down to the entry numbered `downTo`. Each entry is checked against
 * the machine, so undoing twice does no harm. Later entries depend on earlier ones, so a failure ends the undo.
 *
 * @throws CachescopeError CS_STORAGE_LEFT with the commands that undo the rest by hand.
 */
export async function undo(journal: Journal, privilege: Privilege, downTo = 0): Promise<void> {
  const all = journal.entries.map(({ made }) => made);
  const doubts = (made: Made) => (privilege.dryRun ? null : doubtOf(made, all));
  const entries = journal.entries.filter(({ number }) => number >= downTo).toReversed();
  if (!privilege.dryRun) {
    const sure = entries.map(({ made }) => made).filter((made) => doubts(made) === null);
    await commandsEnded(sure);
    for (const made of sure) await removeDelays(made, privilege);
  }
  for (const [place, { number, made }] of entries.entries()) {
    const above = entries.slice(0, place).map((entry) => entry.made);
    try {
      const doubt = doubts(made);
      if (doubt !== null) throw new CachescopeError('CS_STORAGE_DIRECTORY', doubt);
      await (privilege.dryRun ? dryRun(made, privilege) : undoUnder(above, made, privilege));
    } catch (error) {
      const left = entries.filter((entry) => entry.number <= number);
      const commands = left
        .filter((entry) => doubts(entry.made) === null)
        .flatMap((entry) => undoCommands(entry.made));
      const again = journal.head.standing ? 'npm run storage -- down' : 'npm run clean';
      const sudo = process.getuid?.() === 0 ? [] : ['sudo'];
      throw new CachescopeError(
        'CS_STORAGE_LEFT',
        `not everything could be undone: ${messageOf(error)}`,
        {
          hint: [
            `Close what uses it, then: ${again}.${commands.length > 0 ? ' Or type, in this order:' : ''}`,
            ...commands.map((argv) => `  ${commandText([...sudo, ...argv])}`),
          ].join('\n'),
          cause: error,
        },
      );
    }
    journal.undone(number);
  }
}
