import { readdirSync } from 'node:fs';
import { knownSum } from '@cachescope/model/extremes.ts';
import type { ProcessReading } from '@cachescope/model/reclaim/window.ts';
import { kernelText } from '../kernel-text.ts';
import type { TypedProcess } from './process-tree.ts';

/**
 * Proportional memory of a process: pages shared with others count by their share (smaps_rollup, proc_pid_smaps(5)).
 * Bytes; null when the process has exited, or access is denied. The kernel walks all its pages: for a process of
 * Chromium this takes 1 to 3 ms.
 */
export function proportionalBytes(pid: number, proc = '/proc'): number | null {
  const text = kernelText(`${proc}/${pid}/smaps_rollup`);
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(text)?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Open file descriptors of a process; null when it has exited, or access is denied. */
export function openFilesOf(pid: number, proc = '/proc'): number | null {
  try {
    return readdirSync(`${proc}/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/**
 * Memory and open files by type of process, in order of the types' first occurrence. A value that is unknown for one
 * process is unknown for its type.
 */
export function readProcesses(
  processes: readonly TypedProcess[],
  bytesOf: (pid: number) => number | null,
  filesOf: (pid: number) => number | null = openFilesOf,
): ProcessReading[] {
  const types = Map.groupBy(processes, ({ type }) => type);
  return [...types].map(([type, own]) => ({
    type,
    processes: own.length,
    pssBytes: knownSum(own.map(({ pid }) => bytesOf(pid))),
    openFiles: knownSum(own.map(({ pid }) => filesOf(pid))),
  }));
}
