import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  base,
  cachescope,
  environmentIn,
  expectNothingLeft,
  lacking,
} from '../command-under-test.ts';
import { hangLimitMs } from '../hang-limit.ts';

const cli = join(import.meta.dirname, '../../harness/cli.ts');
const isRoot = process.geteuid?.() === 0;

/** A saved run in a directory of this name. */
function saved(name: string, change: object = {}): string {
  const { run, samples } = madeUpRun(4);
  const directory = join(base, name);
  mkdirSync(directory);
  writeFileSync(join(directory, 'run.json'), JSON.stringify({ ...run, ...change }));
  const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
  writeFileSync(join(directory, 'samples.ndjson'), lines.join(''));
  return directory;
}

/** Runs the command line by a shell, after a set-up of it. */
function byShell(setUp: string, ...words: string[]): { code: number; stderr: string } {
  try {
    const script = `${setUp} "$0" "$@"`;
    const options = { env: environmentIn(base), stdio: 'pipe', encoding: 'utf8' } as const;
    execFileSync('bash', ['-c', script, process.execPath, cli, ...words], options);
    return { code: 0, stderr: '' };
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { code: status, stderr };
  }
}

test('no option or argument is empty: it would name the current directory, or a program', async () => {
  for (const words of [
    ['sweep', '--out', ''],
    ['sweep', '--resume', ''],
    ['sweep', '--upload', '', '--dry-run'],
    ['sweep', '--upload', ' ', '--dry-run'],
    ['report', 'x', '--out', ''],
    ['compare', 'x', '', '--out', ''],
  ]) {
    const { code, stderr } = await cachescope(...words);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(' is empty') });
    expect(stderr).not.toContain('    at ');
  }
});

test('a link that leads nowhere is no place for outputs', async () => {
  const run = saved('linked');
  symlinkSync(join(base, 'nowhere'), join(base, 'dangling'));
  for (const out of ['dangling', 'dangling/below']) {
    const { code, stderr } = await cachescope('report', run, '--out', join(base, out));
    expect([2, 3], stderr).toContain(code);
    expect(stderr).toMatch(/^CS_/);
    expect(stderr).not.toContain('    at ');
  }
  expect(existsSync(join(base, 'nowhere'))).toBe(false);
});

test('a path that is too long is refused by the system', async () => {
  const out = join(base, 'a'.repeat(300));
  expect(await cachescope('report', saved('long'), '--out', out)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('ENAMETOOLONG'),
  });
});

test('a form and the answer of a query on a closed stdout are not printed; one for /dev/null is', () => {
  const run = saved('closed');
  for (const words of [
    ['report', run, '--format', 'markdown'],
    ['query', run, 'SELECT 1'],
    ['query', run, 'SELECT 1', '--json'],
  ])
    expect(byShell('1>&-', ...words)).toEqual({
      code: 1,
      stderr: expect.stringContaining('CS_SYSTEM: stdout is closed: nothing was printed'),
    });
  expect(byShell('1>/dev/null', 'report', run, '--format', 'markdown').code).toBe(0);
});

test('text of a run, and a path, start no line and no command of a CI system', async () => {
  const evil = 'x\n::error::forged\n##[error]forged\u202e';
  const run = saved('evil', { warnings: [evil], status: 'partial', statusReason: evil });
  const forged = (text: string) => text.split('\n').filter((line) => /^\s*(?:::|##\[)/.test(line));
  for (const words of [
    ['report', run],
    ['report', run, '--format', 'step-summary'],
    ['compare', run, saved('odd\n::warning::forged'), '--verbose'],
    ['compare', run, join(base, 'no\n::error::such')],
    ['baseline', 'save', 'x\n::error::y', run],
  ]) {
    const { stdout, stderr } = await cachescope(...words);
    expect(forged(stdout + stderr)).toEqual([]);
    expect(stdout + stderr).toMatch(/\\n\\?::/);
  }
});

test('a baseline is not saved through a link', async () => {
  const elsewhere = join(base, 'elsewhere');
  mkdirSync(elsewhere);
  const folder = join(base, 'kept');
  mkdirSync(folder);
  symlinkSync(elsewhere, join(folder, 'nightly'));
  const { code, stderr } = await cachescope(
    'baseline',
    'save',
    'nightly',
    saved('kept-run'),
    '--folder',
    folder,
  );
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('symbolic link') });
  expect(readdirSync(elsewhere)).toEqual([]);
});

test('compare refuses a condition that no run has', async () => {
  const { code, stderr } = await cachescope('compare', saved('a1'), saved('b1'), '--across', 'foo');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('--across names foo; the conditions are '),
  });
});

test('a dry run refuses a browser that is not there', async () => {
  const file = join(base, 'variants.json');
  writeFileSync(file, JSON.stringify([{ name: 'a' }, { name: 'b', browser: '/no/such/chromium' }]));
  const words = ['--variants', file, '--dry-run', '--storage', 'none'];
  expect(await cachescope('sweep', ...words)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('/no/such/chromium does not exist'),
  });
});

test.skipIf(!isRoot)('without /proc or /sys a measurement is refused, and a report is not', () => {
  const hidden = (path: string) =>
    `exec unshare -m bash -c 'mount -t tmpfs none ${path}; exec "$0" "$@"'`;
  for (const path of ['/proc', '/sys']) {
    for (const words of [['sweep', '0', '0', '1', '--dry-run'], ['storage', 'up'], ['doctor']]) {
      const { code, stderr } = byShell(hidden(path), ...words);
      expect({ code, stderr }).toMatchObject({
        code: 3,
        stderr: expect.stringMatching(/^CS_ENVIRONMENT/),
      });
    }
  }
  expect(byShell(hidden('/sys'), 'report', saved('hidden'), '--format', 'markdown').code).toBe(0);
});

test.skipIf(lacking).each([
  ['/dev/fuse does not open', "unshare -m bash -c 'mount --bind /dev/null /dev/fuse; exec"],
  ['a user namespace forbids mounts', "unshare -Urm bash -c 'exec"],
])('a slow disk is refused where %s, and nothing is left', (_, begin) => {
  const setUp = `exec ${begin} "$0" "$@"'`;
  const words = ['storage', 'up', '--storage', 'nbd-live'];
  expect(byShell(setUp, ...words)).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^CS_(STORAGE_NBD|COMMAND): /m),
  });
  expectNothingLeft();
});

test('an origin that a terminal and npm interrupt at once ends with 0', async () => {
  for (let round = 0; round < 5; round++) {
    const origin = spawn(process.execPath, [cli, 'origin', '--port', '0'], {
      env: environmentIn(base),
    });
    onTestFinished(() => void origin.kill('SIGKILL'));
    await new Promise((resolve) => origin.stdout.once('data', resolve));
    for (let signal = 0; signal < 3; signal++) origin.kill('SIGINT');
    await vi.waitUntil(() => origin.exitCode !== null || origin.signalCode !== null, {
      timeout: hangLimitMs,
    });
    expect([origin.exitCode, origin.signalCode]).toEqual([0, null]);
  }
});
