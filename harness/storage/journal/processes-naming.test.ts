import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { hangLimitMs } from '../../../test/hang-limit.ts';
import { browsersIn, commandsEnded, nginxIn, processesNaming } from './processes-naming.ts';

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

test('a helper is found by the text that it has in place of its command line', async () => {
  const argv0 = 'chromium --type=utility --user-data-dir=/tmp/cachescope-run-0b/place-0 --lang=en';
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 10000)'], { argv0 });
  await once(child, 'spawn');
  try {
    expect(browsersIn('/tmp/cachescope-run-0b')).toMatchObject([{ pid: child.pid }]);
    expect(browsersIn('/tmp/cachescope-run-0')).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('nginx is found by the directory that it was started in', async () => {
  const at = '/tmp/cachescope-nginx-0c';
  const argv0 = `nginx: master process nginx -p ${at} -c ${at}/nginx.conf -e ${at}/error.log`;
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 10000)'], { argv0 });
  await once(child, 'spawn');
  try {
    expect(nginxIn(at)).toMatchObject([{ pid: child.pid }]);
    expect(nginxIn('/tmp/cachescope-nginx-0')).toEqual([]);
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

const directory = `/tmp/cachescope-disk-of-${process.pid}`;
const made = [{ kind: 'directory', path: directory }] as const;
let command: ReturnType<typeof spawn> | undefined;

/** A command with a path among its arguments that runs until its input ends. It forks nothing. */
async function start(path: string): Promise<void> {
  command = spawn('sh', ['-c', 'read -r line; :', path], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(command, 'spawn');
  await expect
    .poll(() => processesNaming([path]).length, { interval: 1, timeout: hangLimitMs })
    .toBe(1);
}

afterEach(() => {
  command?.kill('SIGKILL');
});

test('a command on a path in the directory is waited for', async () => {
  await start(`${directory}/disk.img`);
  const waiting = commandsEnded(made, hangLimitMs);
  command?.stdin?.end();
  await waiting;
  expect(processesNaming([directory])).toEqual([]);
});

test('a command on another directory with the same name prefix is not', async () => {
  await start(`${directory}-other/disk.img`);
  await commandsEnded(made);
  expect(processesNaming([`${directory}-other`])).toMatchObject([{ pid: command?.pid }]);
});

test('the sudo that started a server is not waited for: it ends after the server', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'naming-test-'));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const sudo = join(bin, 'sudo');
  writeFileSync(sudo, '#!/bin/sh\nread -r line\n', { mode: 0o755 });
  for (const [program, isWaitedFor] of [
    ['nbdfuse', false],
    ['mount', true],
  ] as const) {
    const path = `${directory}/nbd`;
    command = spawn(sudo, ['-n', program, path], { stdio: ['pipe', 'ignore', 'ignore'] });
    await expect
      .poll(() => processesNaming([path]), { interval: 1, timeout: hangLimitMs })
      .toMatchObject([{ program: 'sudo' }]);
    const waiting = commandsEnded(made, hangLimitMs);
    if (isWaitedFor) command.stdin?.end();
    await waiting;
    expect(processesNaming([path])).toHaveLength(isWaitedFor ? 0 : 1);
    command.kill('SIGKILL');
    await expect.poll(() => processesNaming([path]), { timeout: hangLimitMs }).toEqual([]);
  }
});

test('a command that does not exit is waited for no longer than the limit', async () => {
  await start(`${directory}/disk.img`);
  await commandsEnded(made, 50);
  expect(processesNaming([directory])).toMatchObject([{ program: 'sh' }]);
});
