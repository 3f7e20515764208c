import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('a dry run that npm takes as its own option is refused, with what to type', () => {
  const words = [join(import.meta.dirname, 'start.mjs'), 'harness/cli.ts', 'storage', 'down'];
  const { status, stderr } = spawnSync(process.execPath, words, {
    env: { ...process.env, npm_config_dry_run: 'true' },
    encoding: 'utf8',
  });
  expect(stderr).toContain('Type it after "--": npm run storage -- ... --dry-run');
  expect(status).toBe(2);
});
