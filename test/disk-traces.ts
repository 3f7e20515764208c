import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  isRunning,
  type ProcessIdentity,
} from '@cachescope/harness/storage/journal/process-identity.ts';

/** Traces of a disk in the system's own tools: mounts, loop devices, processes, files. */
export function tracesOf(workDirectory: string, servers: readonly ProcessIdentity[]): string[] {
  const mounts = execFileSync('findmnt', ['-rn', '-o', 'TARGET'], { encoding: 'utf8' });
  const loops = execFileSync('losetup', ['--list', '--noheadings'], { encoding: 'utf8' });
  const shown = [...mounts.split('\n'), ...loops.split('\n')];
  return [
    ...shown.filter((line) => line.includes(workDirectory)),
    ...servers.filter(isRunning).map(({ pid }) => `process ${pid}`),
    ...(existsSync(workDirectory) ? [workDirectory] : []),
  ];
}
