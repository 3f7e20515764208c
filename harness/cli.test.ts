import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Prints the packages whose modules a program loads. */
const hook = `
import { registerHooks } from 'node:module';
const packages = new Set();
registerHooks({
  load(url, context, next) {
    packages.add(/.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]);
    return next(url, context);
  },
});
process.on('exit', () => console.error(JSON.stringify([...packages].filter(Boolean))));
`;

test('a start loads no package that is needed later only', () => {
  const options = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  const words = [...options, join(import.meta.dirname, 'cli.ts'), 'sweep', '--help'];
  const { stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  const packages: string[] = JSON.parse(stderr.trim().split('\n').at(-1) ?? '');
  expect(packages).toContain('commander');
  for (const later of ['puppeteer-core', 'selfsigned', '@duckdb/node-api', 'vite'])
    expect(packages).not.toContain(later);
});
