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

vi.mock('../environment/setup/surroundings.mjs', async (original) => ({
  ...(await original()),
  remarks: () => ['/d is in memory, not on a disk. Name another.'],
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

/** Root, whose apt-get finds no package. */
const privilege: Privilege = {
  dryRun: false,
  images: new Set(),
  obstacle: () => null,
  run: () => Promise.reject(new CachescopeError('CS_COMMAND', 'apt-get ended with code 100')),
  start: () => Promise.resolve(null),
  converse: () => Promise.resolve(null),
  dropPageCache: () => Promise.resolve(),
  preparePageCache: () => Promise.resolve(null),
};

async function chosen(
  wanted: 'auto' | 'nbd-live' | 'none',
  obstacle: string | null = null,
  forBrowser: string[] = [],
) {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const own = { ...privilege, obstacle: () => obstacle };
  const tools = { privilege: own, say, missingForBrowser: () => forBrowser };
  const kind = await storageFor(wanted, tools);
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
  const dryRun = createPrivilege({ dryRun: true, say });
  const tools = { privilege: dryRun, say, missingForBrowser: () => [] };
  const kind = await storageFor('auto', tools);
  expect(kind).toBe('nbd-live');
  expect(shown.join('\n')).toMatch(/(apt-get install .*|needs )nbdkit-plugin-python/);
});

test('nbd-live is not replaced when it was requested by name', async () => {
  install('nbdkit', '--dump-plugin');
  await expect(chosen('nbd-live')).rejects.toThrow(/needs nbdkit-plugin-python/);
});

test('without root one message says what works, what is missing for disk and browser, and one command', async () => {
  install('nbdkit', '--dump-plugin');
  const error: unknown = await chosen('auto', 'there is no sudo', [
    'chromium',
    'chromium-sandbox',
  ]).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'CS_PACKAGES', exitCode: 3 });
  expect(String(error)).toBe(
    [
      'CS_PACKAGES: without root the control, the panel and the analysis run when the packages below are installed: npm run sweep -- --storage none, npm run explore -- --storage none, npm run micro, npm run report. A slow disk needs root, and there is no sudo',
      'A measurement on nbd-live needs nbdkit-plugin-python, chromium, chromium-sandbox',
      '/d is in memory, not on a disk. Name another.',
      'One command installs all of it. Type as root: apt-get update && apt-get install --yes --no-install-recommends nbdkit-plugin-python chromium chromium-sandbox',
    ].join('\n'),
  );
});

test('without root a slow disk is refused before a command is tried, and the control is not', async () => {
  await expect(chosen('auto', 'sudo asks for a password')).rejects.toMatchObject({
    code: 'CS_PRIVILEGE',
    message: expect.stringMatching(
      /^without root the control, .* --storage none.*, and sudo asks for a password$/,
    ),
  });
  expect(await chosen('none', 'there is no sudo')).toEqual({ kind: 'none', said: [] });
});
