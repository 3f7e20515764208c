import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { browsersIn } from './processes-naming.ts';

test('a process is found by its profile, and one with another directory is not', async () => {
  const word = '--user-data-dir=/tmp/cachescope-run-0a/place-0';
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 10000)', '--', word]);
  await once(child, 'spawn');
  try {
    const pids = (directory: string) => browsersIn(directory).map(({ pid }) => pid);
    expect(pids('/tmp/cachescope-run-0a')).toEqual([child.pid]);
    expect(pids('/tmp/cachescope-run-0')).toEqual([]);
    expect(pids('/tmp/cachescope-run-0a/place-0')).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  expect(browsersIn('/tmp/cachescope-run-0a')).toEqual([]);
});
