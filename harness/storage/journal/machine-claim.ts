import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CachescopeError } from '../../error.ts';
import { commandText } from '../../privilege.ts';
import { argumentsOf } from '../../processes.ts';
import { makeDirectories, ownDirectoryMode } from '../../results/output-file.ts';
import { printable } from '@cachescope/model/printable.ts';
import { identityOf, isRunning } from './process-identity.ts';

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants;

/** Polling interval of a waiting run, ms; with random jitter, so that two do not collide each time. */
const pauseMs = 250;

/** An exclusive claim on this machine. The kernel releases it when the process ends, in whatever way. */
export interface MachineClaim extends Disposable {
  /** Releases the machine. A second call does nothing. */
  release(): void;
}

export interface ClaimOptions {
  /** True: wait until the other run has ended. */
  wait: boolean;
  /** Called once with the holder that this run waits for. */
  say: (line: string) => void;
  /** Directory of the lock. Default: `CACHESCOPE_LOCK_DIRECTORY`, then /tmp. */
  directory?: string;
}

/**
 * /tmp is the one directory that all users of a machine can write to, and in which no user can remove another's files.
 * A named directory is for machines without it, and for tests, which must not wait for each other.
 *
 * @throws CachescopeError CS_LOCK when other users can replace files in it.
 */
export function lockDirectory(named = process.env['CACHESCOPE_LOCK_DIRECTORY']): string {
  const path = named || '/tmp';
  makeDirectories(path, ownDirectoryMode);
  const { uid, mode } = statSync(path);
  const isSafe = (mode & 0o022) === 0 || (mode & 0o1000) !== 0;
  if (isSafe && (uid === 0 || uid === process.geteuid?.())) return path;
  throw new CachescopeError('CS_LOCK', `other users can replace what lies in ${path}`, {
    hint: 'Name a directory of root or of this user with CACHESCOPE_LOCK_DIRECTORY.',
  });
}

/** Only its user can open it, so no other user can lock it. null when another user has created a file of that name. */
function openLock(path: string): number | null {
  let file: number;
  try {
    file = openSync(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
  } catch {
    return null;
  }
  const stat = fstatSync(file);
  if (stat.isFile() && stat.uid === process.geteuid?.() && stat.nlink === 1) return file;
  closeSync(file);
  return null;
}

/**
 * A flock(2) lock belongs to the open file description: it outlives the program that took it, and ends with this
 * process.
 */
function flock(file: number): boolean {
  const { status, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', file],
  });
  if (!error) return status === 0;
  throw new CachescopeError('CS_LOCK', `flock cannot be started: ${error.message}`, {
    hint: 'Install the package util-linux.',
  });
}

/** The locked file; null when another run of this user holds it. */
function lockIn(directory: string): { file: number; path: string } | null {
  const path = join(directory, `cachescope-run-${process.geteuid?.() ?? 0}`);
  for (const name of [path, `${path}-${randomBytes(6).toString('hex')}`]) {
    const file = openLock(name);
    if (file === null) continue;
    const isLocked = flock(file);
    const isThere = statSync(name, { throwIfNoEntry: false })?.ino === fstatSync(file).ino;
    if (isLocked && isThere) return { file, path: name };
    closeSync(file);
    // The previous holder has removed it meanwhile: the locked file no longer has this name.
    return isThere ? null : lockIn(directory);
  }
  throw new CachescopeError('CS_LOCK', `no file can be made in ${directory}`);
}

function removeIfOwn(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It belongs to another user, and stays until that user's next run.
  }
}

const holderName = /^cachescope-holder-(\d{1,10})-(\d{1,20})-[0-9a-f]{12}$/;

/**
 * Processes that hold the machine. Each has a file whose name contains its pid and start time, and whose owner is the
 * user of that process. A file forged by another user names no such process; one left by a killed process is removed.
 */
function holdersIn(directory: string): { name: string; pid: number; uid: number }[] {
  return readdirSync(directory).flatMap((name) => {
    const [, pid, startTime] = holderName.exec(name) ?? [];
    if (pid === undefined) return [];
    if (!isRunning({ pid: Number(pid), startTime: Number(startTime) })) {
      removeIfOwn(join(directory, name));
      return [];
    }
    const owner = lstatSync(join(directory, name), { throwIfNoEntry: false })?.uid;
    const uid = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
    return owner === undefined || owner !== uid ? [] : [{ name, pid: Number(pid), uid }];
  });
}

/** `process 812 of user 1000 (node harness/cli.ts sweep 0 10 1)`. */
function holderText(directory: string): string {
  const [holder] = holdersIn(directory);
  if (!holder) return 'a process that has just started';
  const { pid, uid } = holder;
  const command = printable(commandText(argumentsOf(pid).slice(0, -1)));
  return `process ${pid} of user ${uid} (${command})`;
}

/** null when another run holds the machine. Two users that start at once both back off. */
function tryClaim(directory: string): MachineClaim | null {
  const lock = lockIn(directory);
  if (lock === null) return null;
  const { pid, startTime } = identityOf(process.pid) ?? { pid: process.pid, startTime: 0 };
  const own = `cachescope-holder-${pid}-${startTime}-${randomBytes(6).toString('hex')}`;
  const release = () => {
    for (const path of [join(directory, own), lock.path]) rmSync(path, { force: true });
    closeSync(lock.file);
  };
  writeFileSync(join(directory, own), '', { flag: 'wx', mode: 0o600 });
  if (holdersIn(directory).some(({ name }) => name !== own)) {
    release();
    return null;
  }
  let isHeld = true;
  const releaseOnce = () => {
    if (isHeld) release();
    isHeld = false;
  };
  return { release: releaseOnce, [Symbol.dispose]: releaseOnce };
}

/**
 * Claims this machine for one run across all users: two runs at once would disturb each other's measurements.
 *
 * @throws CachescopeError CS_BUSY, exit code 3, naming the other run's process, when it is taken and `wait` is false.
 * CS_LOCK when there is no safe place for the lock.
 */
export async function claimMachine(options: ClaimOptions): Promise<MachineClaim> {
  const directory = options.directory ?? lockDirectory();
  let claim = tryClaim(directory);
  if (!claim && options.wait) options.say(`Waiting for ${holderText(directory)} to end`);
  for (; !claim; claim = tryClaim(directory)) {
    if (!options.wait) {
      throw new CachescopeError('CS_BUSY', `${holderText(directory)} measures on this machine`, {
        hint: 'Two runs at once would measure each other. Wait until it has ended; an experiment waits with --wait.',
      });
    }
    await sleep(pauseMs * (1 + Math.random()));
  }
  return claim;
}
