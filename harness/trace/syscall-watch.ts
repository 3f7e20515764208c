import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sleep, which } from 'zx';
import type { Syscall } from '@cachescope/model/explain/syscall.ts';
import { networkServicePid } from '../browser/network-service.ts';
import { CachescopeError } from '../error.ts';
import type { Privilege } from '../privilege.ts';
import { waitAtMost } from '../time-limit.ts';
import { dictionaryFile } from './device-reads.ts';

/** System calls that open, stat, read and close files. */
const watchedCalls =
  'open,openat,close,read,pread64,readv,preadv,preadv2,stat,fstat,newfstatat,statx,lseek';
/** Time limit for strace to attach to every thread of the network service, and to detach, ms. */
const attachLimitMs = 10_000;
const pauseMs = 10;

/** Observes the system calls of one network service. */
export interface SyscallWatch {
  /** Detaches from the process; returns the observed calls, in order. */
  end(): Promise<TimedCall[]>;
}

/**
 * Refuses `--witness syscalls` where it is not available.
 *
 * @throws CachescopeError CS_SYSCALLS, exit code 3.
 */
export async function requireSyscallWatch(): Promise<void> {
  if (await which('strace', { nothrow: true })) return;
  throw new CachescopeError('CS_SYSCALLS', '--witness syscalls needs strace, and there is none', {
    hint: 'Install it (Debian: apt-get install strace), or omit --witness.',
    exitCode: 3,
  });
}

function straceCommand(directory: string, pid: string): string[] {
  // One file per thread: no call is split by another thread's output.
  const output = ['-ff', '-o', join(directory, 'thread')];
  const words = ['-qqq', '-ttt', '-T', '-y', '-s', '0', '-e', `trace=${watchedCalls}`];
  return ['strace', ...output, ...words, '-p', pid];
}

/** In a dry run: shows the privileged commands of a read whose system calls are recorded. */
export async function dryRunSyscallWatch(privilege: Privilege): Promise<void> {
  await privilege.start(straceCommand('DIRECTORY', 'PID'));
  await privilege.run(['kill', 'PID']);
}

/**
 * Records the system calls of a browser's network service from now on, with strace. strace stops the service at each
 * call, so an observed read takes longer.
 *
 * @param directory for strace's files; created, and removed at the end.
 * @throws CachescopeError CS_SYSCALLS when strace cannot attach.
 */
export async function watchSyscalls(
  browserPid: number,
  directory: string,
  privilege: Privilege,
): Promise<SyscallWatch> {
  const pid = networkServicePid(browserPid);
  if (pid === null)
    throw new CachescopeError(
      'CS_SYSCALLS',
      `browser ${browserPid} has no network service of its own`,
    );
  await mkdir(directory, { recursive: true });
  const child = await privilege.start(straceCommand(directory, `${pid}`));
  let said = '';
  child?.stderr?.on('data', (piece: Buffer) => (said += piece.toString()));
  child?.on('error', ({ message }) => (said += message));
  const ended = new Promise<void>((resolve) => child?.once('close', () => resolve()));
  const letGo = async (): Promise<void> => {
    if (child?.pid === undefined) return;
    if (child.exitCode === null) await privilege.run(['kill', `${child.pid}`]).catch(() => '');
    await waitAtMost(attachLimitMs, ended);
  };
  for (const end = Date.now() + attachLimitMs; !isAttached(pid); await sleep(pauseMs)) {
    if (child?.pid !== undefined && child.exitCode === null && Date.now() < end) continue;
    await letGo();
    throw new CachescopeError(
      'CS_SYSCALLS',
      `strace could not attach to process ${pid}: ${said.trim()}`,
    );
  }
  return {
    async end() {
      await letGo();
      const names = await readdir(directory);
      const texts = await Promise.all(
        names.map((name) => readFile(join(directory, name), 'latin1')),
      );
      await rm(directory, { recursive: true, force: true });
      const calls = texts.flatMap(parseStrace);
      return calls.toSorted((one, other) => one.beginUs - other.beginUs);
    },
  };
}

/** Whether every thread of a process is traced (TracerPid, proc_pid_status(5)). */
function isAttached(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const states = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/status`, 'utf8'));
    return states.every((text) => !/^TracerPid:\t0$/m.test(text));
  } catch {
    // A thread has just exited.
    return false;
  }
}

/** A system call in wall-clock time. */
export type TimedCall = Omit<Syscall, 'startMs' | 'endMs'> & {
  /** µs since 1970. */
  beginUs: number;
  endUs: number;
};

/** `1763746276.766273 pread64(12</path>, ""..., 65536, 48) = 65536 <0.005522>` (strace -ttt -T -y). */
const callLine =
  /^(?<seconds>\d+\.\d{6}) (?<name>\w+)\((?<words>.*)\)\s+= (?<answer>-?\d+|\?)(?:<[^>]*>)?(?: (?<error>E[A-Z0-9]+) )?.*<(?<took>\d+\.\d{6})>$/;
/** An open file, or a path argument. */
const openFile = /^\d+<(?<path>[^>]*)>/;
const namedFile = /"(?<path>[^"]*)"/;
const moves = /^(?:p?(?:read|write)v?(?:64|2)?)$/;
const hasOffset = /^p(?:read|write)64$/;

/** Parses strace's output of one thread: the calls on files on a disk, without unfinished calls. */
export function parseStrace(text: string): TimedCall[] {
  return text.split('\n').flatMap((line) => {
    const found = callLine.exec(line)?.groups;
    if (!found) return [];
    const { seconds = '', name = '', words = '', answer = '', error, took = '' } = found;
    const path = (openFile.exec(words) ?? namedFile.exec(words))?.groups?.['path'];
    if (path === undefined || !isOnDisk(path)) return [];
    const beginUs = Math.round(Number(seconds) * 1e6);
    const isMove = moves.test(name) && error === undefined && answer !== '?';
    return {
      name,
      beginUs,
      endUs: beginUs + Math.round(Number(took) * 1e6),
      file: basename(path),
      kind: kindOf(path),
      bytes: isMove ? Number(answer) : null,
      offset: hasOffset.test(name) ? Number(words.slice(words.lastIndexOf(',') + 1)) : null,
      ...(error !== undefined && { error }),
    };
  });
}

/** Pipes, sockets and the kernel's pseudo-files are not files on a disk. */
function isOnDisk(path: string): boolean {
  return path.startsWith('/') && !/^\/(?:proc|sys|dev|memfd)\b/.test(path);
}

function kindOf(path: string): Syscall['kind'] {
  if (path.includes('/Cache_Data/')) return 'cache';
  return dictionaryFile.test(path) ? 'dictionary' : 'other';
}
