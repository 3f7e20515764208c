import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CachescopeError } from '../error.ts';
import { createPrivilege, type Privilege } from '../privilege.ts';
import { storageFor } from './storage-choice.ts';

// Independent of this machine's kernel.
vi.mock('../storage/back-ends/dm-delay.ts', async (original) => ({
  ...(await original<object>()),
  kernelHasDelayTarget: () => Promise.resolve(false),
}));

const programs = ['python3', 'losetup', 'mkfs.ext4', 'nbdkit', 'nbdfuse', 'apt-get'];
let directory: string;

/** A program that exits with code 0, unless its first argument is `refused`. */
function install(name: string, refused = ''): void {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/sh\n[ "$1" != "${refused}" ]\n`);
  chmodSync(path, 0o755);
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cachescope-programs-'));
  for (const name of programs) install(name, 'nothing refused');
  vi.stubEnv('PATH', `${directory}:/usr/bin:/bin`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

/** Without root: nothing can be installed. */
const privilege: Privilege = {
  dryRun: false,
  images: new Set(),
  run: () => Promise.reject(new CachescopeError('CS_PRIVILEGE', 'apt-get needs root')),
  start: () => Promise.resolve(null),
  dropPageCache: () => Promise.resolve(),
  preparePageCache: () => Promise.resolve(null),
};

async function chosen(wanted: 'auto' | 'nbd-live') {
  const said: string[] = [];
  const kind = await storageFor(wanted, privilege, (line) => said.push(line));
  return { kind, said };
}

test('auto selects nbd-live where its packages are installed, and reports it', async () => {
  const { kind, said } = await chosen('auto');
  expect(kind).toBe('nbd-live');
  expect(said).toEqual([expect.stringMatching(/^Storage: nbd-live, /)]);
});

test("auto selects nbd-delay where nbdkit's Python plugin is missing, and prints the reason", async () => {
  // nbdkit --dump-plugin python
  install('nbdkit', '--dump-plugin');
  const { kind, said } = await chosen('auto');
  expect(kind).toBe('nbd-delay');
  expect(said.at(-2)).toMatch(/^nbd-live cannot be used: .*needs nbdkit-plugin-python/);
  expect(said.at(-1)).toMatch(/^Storage: nbd-delay, /);
});

test('a dry run shows the installation of missing packages, and continues', async () => {
  install('nbdkit', '--dump-plugin');
  const shown: string[] = [];
  const say = (line: string) => shown.push(line);
  const kind = await storageFor('auto', createPrivilege({ dryRun: true, say }), say);
  expect(kind).toBe('nbd-live');
  expect(shown.join('\n')).toMatch(/(apt-get install .*|needs )nbdkit-plugin-python/);
});

test('nbd-live is not replaced when it was requested by name', async () => {
  install('nbdkit', '--dump-plugin');
  await expect(chosen('nbd-live')).rejects.toThrow(/needs nbdkit-plugin-python/);
});
