import { kernelText } from '../kernel-text.ts';

/**
 * Bytes that a process has caused to be written to a device so far, pages that are still to be written included
 * (`write_bytes` of proc_pid_io(5)); null when it has exited, or access is denied.
 */
export function writtenBytes(pid: number, proc = '/proc'): number | null {
  const bytes = /^write_bytes: (\d+)$/m.exec(kernelText(`${proc}/${pid}/io`))?.[1];
  return bytes === undefined ? null : Number(bytes);
}
