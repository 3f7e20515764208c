import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { sleep } from 'zx';
import { CachescopeError, messageOf } from '../error.ts';
import { commandText, type Privilege } from '../privilege.ts';
import type { Journal, Made } from './journal.ts';
import { loopDevicesOver } from './loop-devices.ts';
import { isMounted, mountsBelow } from './mounts.ts';
import { isRunning, type ProcessIdentity } from './process-identity.ts';

/** A device stays busy for a moment after its last user; then umount and its like are tried again. */
const busyTries = 6;
const firstPauseMs = 50;
/** How long a program may take to end by itself, ms. */
const endLimitMs = 3000;

/** Repeats until `isDone`, with pauses that double; then fails with the last error. */
async function untilDone(
  attempt: () => Promise<void>,
  isDone: () => boolean,
  what: string,
): Promise<void> {
  let last = `${what} is still there`;
  for (let tries = 0; tries < busyTries; tries++) {
    if (isDone()) return;
    await attempt().catch((error: unknown) => (last = messageOf(error)));
    if (isDone()) return;
    await sleep(firstPauseMs * 2 ** tries);
  }
  if (!isDone()) throw new CachescopeError('CS_STORAGE_BUSY', last);
}

async function waitForEnd(process: ProcessIdentity, limitMs: number): Promise<boolean> {
  for (const end = Date.now() + limitMs; Date.now() < end; await sleep(10)) {
    if (!isRunning(process)) return true;
  }
  return !isRunning(process);
}

async function endProcess(process: ProcessIdentity, privilege: Privilege): Promise<void> {
  for (const signal of ['TERM', 'KILL']) {
    if (!isRunning(process)) return;
    await privilege.run(['kill', '-s', signal, String(process.pid)]).catch(() => undefined);
    if (await waitForEnd(process, endLimitMs)) return;
  }
  throw new CachescopeError('CS_STORAGE_PROCESS', `process ${process.pid} does not end`);
}

async function unmount(path: string, privilege: Privilege): Promise<void> {
  await untilDone(
    async () => void (await privilege.run(['umount', path])),
    () => !isMounted(path),
    `the mount ${path}`,
  );
}

/**
 * Deletes a work directory, never through a mount, and never one that is not named as ours.
 */
async function removeDirectory(path: string): Promise<void> {
  if (!basename(path).startsWith('cachescope-')) {
    throw new CachescopeError(
      'CS_STORAGE_DIRECTORY',
      `${path} is not named like a directory of this program`,
    );
  }
  const mounted = mountsBelow(path);
  if (mounted.length > 0) {
    throw new CachescopeError(
      'CS_STORAGE_DIRECTORY',
      `${path} still holds the mount ${mounted.join(', ')}`,
    );
  }
  await rm(path, { recursive: true, force: true });
}

async function removeDevice(name: string, privilege: Privilege): Promise<void> {
  const path = `/dev/mapper/${name}`;
  const isGone = () => !existsSync(path);
  if (isGone()) return;
  // A suspended device would let every umount hang; resuming one that runs does nothing.
  await privilege.run(['dmsetup', 'resume', name]);
  await untilDone(
    async () => void (await privilege.run(['dmsetup', 'remove', '--retry', name])),
    isGone,
    path,
  );
}

async function undoOne(made: Made, privilege: Privilege): Promise<void> {
  switch (made.kind) {
    case 'directory':
      return removeDirectory(made.path);
    case 'mount':
      return unmount(made.path, privilege);
    case 'fuse':
      await unmount(made.path, privilege);
      // nbdfuse ends by itself when its mount is gone, and takes nbdkit along.
      if (made.process && !(await waitForEnd(made.process, endLimitMs)))
        await endProcess(made.process, privilege);
      return;
    case 'loop': {
      const detach = async () => {
        for (const device of loopDevicesOver(made.backingFile))
          await privilege.run(['losetup', '-d', device]);
      };
      return untilDone(
        detach,
        () => loopDevicesOver(made.backingFile).length === 0,
        `a loop device over ${made.backingFile}`,
      );
    }
    case 'device-mapper':
      return removeDevice(made.name, privilege);
    case 'process':
      return endProcess(made.process, privilege);
  }
}

/** What a person types to undo something by hand. */
export function undoCommand(made: Made): string {
  switch (made.kind) {
    case 'directory':
      return commandText(['rm', '-r', made.path]);
    case 'mount':
    case 'fuse':
      return commandText(['umount', made.path]);
    case 'loop':
      return loopDevicesOver(made.backingFile)
        .map((device) => commandText(['losetup', '-d', device]))
        .join('; ');
    case 'device-mapper':
      return commandText(['dmsetup', 'remove', '--retry', made.name]);
    case 'process':
      return commandText(['kill', String(made.process.pid)]);
  }
}

/**
 * Undoes what a journal lists, last first, down to the entry numbered `downTo`. Everything is verified against the
 * machine, so undoing twice does no harm. One failure does not keep the rest from being tried.
 *
 * @throws CachescopeError CS_STORAGE_LEFT with the commands that undo the rest by hand.
 */
export async function undo(journal: Journal, privilege: Privilege, downTo = 0): Promise<void> {
  const failed: { made: Made; reason: string }[] = [];
  for (const { number, made } of journal.entries.toReversed()) {
    if (number < downTo) break;
    try {
      await undoOne(made, privilege);
      journal.undone(number);
    } catch (error) {
      failed.push({ made, reason: messageOf(error) });
    }
  }
  if (failed.length === 0) return;
  throw new CachescopeError(
    'CS_STORAGE_LEFT',
    `not everything could be undone: ${failed.map(({ reason }) => reason).join('; ')}`,
    {
      hint: `Type, in this order:\n${failed.map(({ made }) => `  sudo ${undoCommand(made)}`).join('\n')}`,
    },
  );
}
