import { spawn } from 'node:child_process';

/** Ends by itself when its parent process has ended. */
const busyLoop = 'const parent = process.ppid; while (process.ppid === parent);';

/** Keeps `count` processors busy during a test, with one process each, until `end` is called. */
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
