import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { base, environmentIn, expectNothingLeft } from '../command-under-test.ts';

const cli = join(import.meta.dirname, '../../harness/cli.ts');
const quick = ['sweep', '--storage', 'none', '--samples', '1', '--env', 'warn'];

// No user, not even root, can create anything in /proc.
test.each<[name: string, environment: NodeJS.ProcessEnv, directory: string]>([
  ['TMPDIR that is missing', { TMPDIR: '/proc/missing' }, base],
  ['state directory that cannot be made', { XDG_STATE_HOME: '/proc/missing' }, base],
  ['results directory that cannot be made', {}, '/proc'],
])(
  'a %s ends with exit code 3, without a stack trace, and leaves nothing behind',
  (_, changed, cwd) => {
    const env = { ...environmentIn(base), ...changed };
    const ended = spawnSync(process.execPath, [cli, ...quick], { env, cwd, encoding: 'utf8' });
    expect({ code: ended.status, stdout: ended.stdout }).toEqual({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(/CS_[A-Z_]+: .*\/proc/);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expectNothingLeft();
  },
);
