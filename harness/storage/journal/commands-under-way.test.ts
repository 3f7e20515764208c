import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { commandsEnded } from './commands-under-way.ts';
import { processesNaming } from './processes-naming.ts';

const directory = `/tmp/cachescope-disk-of-${process.pid}`;
const made = [{ kind: 'directory', path: directory }] as const;
let command: ReturnType<typeof spawn> | undefined;

/** A command that has a path among its words and goes on for a time. */
async function start(path: string, seconds: number): Promise<void> {
  command = spawn('sh', ['-c', `sleep ${seconds}; :`, path], { stdio: 'ignore', detached: true });
  await once(command, 'spawn');
  await expect.poll(() => processesNaming([path]).length, { interval: 1 }).toBe(1);
}

afterEach(() => {
  // The shell and its sleep: both are its group's.
  if (command?.pid && command.exitCode === null) process.kill(-command.pid, 'SIGKILL');
});

test('a command on something in the directory is waited for', async () => {
  await start(`${directory}/disk.img`, 0.3);
  await commandsEnded(made);
  expect(processesNaming([directory])).toEqual([]);
});

test('one on another directory, whose name begins alike, is not', async () => {
  await start(`${directory}-other/disk.img`, 20);
  await commandsEnded(made);
  expect(processesNaming([`${directory}-other`])).toMatchObject([{ pid: command?.pid }]);
});

test('one that does not end is not waited for longer than the limit', async () => {
  await start(`${directory}/disk.img`, 20);
  await commandsEnded(made, 50);
  expect(processesNaming([directory])).toMatchObject([{ program: 'sh' }]);
});
