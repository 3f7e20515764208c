import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { namespaceUsersOf } from './open-files.ts';

const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];

test('a process whose mount namespace keeps a device mounted is named', async () => {
  const source = `made-up-${randomUUID()}`;
  expect(namespaceUsersOf(source)).toEqual([]);
  const holder = spawn(
    'unshare',
    [...asRoot, '--mount', 'sh', '-c', `mount -t tmpfs ${source} /mnt && echo mounted && exec cat`],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(holder.stdout, 'data');
  expect(namespaceUsersOf(source)).toEqual([expect.stringContaining(`(pid ${holder.pid})`)]);
  holder.stdin.end();
  await once(holder, 'exit');
  expect(namespaceUsersOf(source)).toEqual([]);
});
