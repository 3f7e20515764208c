import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStepOfGit } from './git-step.ts';

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
  const cli = join(import.meta.dirname, '../../cli.ts');
  const { status, stderr } = spawnSync(process.execPath, [cli, ...words], { encoding: 'utf8' });
  expect(status, stderr).toBe(code);
});
