import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gitStop, isStepOfGit } from './git-step.ts';

const cli = join(import.meta.dirname, '../../cli.ts');

test.each([
  [['bisect', '--against', 'a', '--of', 'b'], true],
  [['bisect', '--of=b'], true],
  [['bisect', '--variants-from', 'list'], false],
  [['sweep', '--of', 'b'], false],
])('%j is a step of git: %s', (words, isStep) => {
  expect(isStepOfGit(words)).toBe(isStep);
});

test.each([
  [['bisect', '--against', '/no/such/browser', '--of', ''], 128],
  [['bisect', '--against', 'a', '--off', 'b'], 128],
  [['bisect', '--off', 'b'], 2],
])('%j ends with %d, so that git does not take it for a bad commit', (words, code) => {
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' });
  expect(status, stderr).toBe(code);
});

test('a step whose output cannot be written ends git bisect', () => {
  const full = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(full));
  const stdio: StdioOptions = ['ignore', full, 'ignore'];
  const words = [cli, 'bisect', '--help', '--of', 'b'];
  expect(spawnSync(process.execPath, words, { stdio }).status).toBe(gitStop);
});
