import { spawn } from 'node:child_process';

/** It ends by itself when whoever started it is gone. */
const busyLoop = 'const parent = process.ppid; while (process.ppid === parent);';

/** Keeps processors busy beside a test, with one process each, until `end` is called. */
export function startBusyProcesses(count: number): { end: () => void } {
  const processes = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', busyLoop], { stdio: 'ignore' }),
  );
  return {
    end: () => {
      for (const each of processes) each.kill('SIGKILL');
    },
  };
}
