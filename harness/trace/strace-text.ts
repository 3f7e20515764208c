import { basename } from 'node:path';
import type { Syscall } from '@cachescope/model/explain/syscall.ts';
import { dictionaryFile } from './device-reads.ts';

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
