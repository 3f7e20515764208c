import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { base, environmentIn, expectNothingLeft, lacking } from '../command-under-test.ts';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** The npm prefix of the installed command, and the user's empty directory. */
const prefix = join(base, 'global');
const empty = join(base, 'empty');
const command = join(prefix, 'bin/cachescope');
const nobody = 65_534;

interface Said {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(program: string, args: string[], cwd: string, options = {}): Said {
  const env = environmentIn(base);
  return spawnSync(program, args, { cwd, env, encoding: 'utf8', ...options });
}

function packed(folder: string): Buffer {
  mkdirSync(folder);
  const { status, stderr } = run('npm', ['pack', '--pack-destination', folder], root);
  expect(status, stderr).toBe(0);
  return readFileSync(join(folder, `cachescope-${version}.tgz`));
}

let first: Buffer;
beforeAll(() => {
  mkdirSync(empty);
  first = packed(join(base, 'first'));
  const tarball = join(base, 'first', `cachescope-${version}.tgz`);
  const { status, stderr } = run(
    'npm',
    ['install', '--global', '--prefix', prefix, tarball],
    empty,
  );
  expect(status, stderr).toBe(0);
});

test('two packs are the same bytes, below 12 MB', () => {
  expect(packed(join(base, 'second')).equals(first)).toBe(true);
  expect(first.length).toBeLessThan(12_000_000);
});

test('npx runs the package file directly', () => {
  const { stdout, stderr } = run(
    'npx',
    ['--yes', `../first/cachescope-${version}.tgz`, '--version'],
    empty,
  );
  expect(stdout.trim(), stderr).toBe(version);
});

test.skipIf(lacking)('the installed command runs a sweep in an empty directory', async () => {
  const args = ['sweep', '0', '1', '1', '--samples', '2', '--launches', '1', '--out', 'run'];
  const { status, stdout, stderr } = run(command, args, empty);
  expect(status, stderr).toBe(0);
  expect(stdout).toContain('Brotli');
  const { samples } = await readRunOf('sweep', join(empty, 'run'));
  expect(samples.length).toBeGreaterThan(0);
  expect(statSync(join(empty, 'run/report.html')).size).toBeGreaterThan(100_000);
  expectNothingLeft();
});

test('its advice uses the name of the installed command', () => {
  const { stdout } = run(command, ['sweep', '--help'], empty);
  expect(stdout).toContain('cachescope sweep 0 10 1');
  expect(stdout).not.toContain('npm run');
});

test.skipIf(process.getuid?.() !== 0)('a user without root and sudo gets instructions', () => {
  const home = join(base, 'user');
  mkdirSync(home);
  for (const folder of [base, home, join(base, 'tmp')]) chmodSync(folder, 0o777);
  // A PATH without sudo, even where sudo is installed.
  const env = {
    ...environmentIn(home),
    HOME: home,
    PATH: [dirname(process.execPath), '/usr/sbin'].join(':'),
  };
  const options = { env, uid: nobody, gid: nobody };
  const version0 = run(command, ['--version'], home, options);
  const { status, stderr } = run(command, ['sweep', '0', '1', '1', '--out', 'run'], home, options);
  expect(version0.stdout.trim(), version0.stderr).toBe(version);
  expect(status, stderr).toBe(3);
  expect(stderr).toMatch(/CS_[A-Z_]+: /);
});
