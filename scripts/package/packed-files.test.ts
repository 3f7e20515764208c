import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { compiled } from './compiled.ts';
import { packedFiles } from './packed-files.ts';

const root = join(import.meta.dirname, '../..');
const files = packedFiles(root);

test('the package has everything that its files import', () => {
  const names = new Set(files.map((path) => path.replace(/\.ts$/, '.js')));
  const missing = files
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const source = readFileSync(join(root, path), 'utf8');
      const imports = compiled(path, source, []).matchAll(/(?:from |import\()'(\.[^']+\.js)'/g);
      return (
        [...imports]
          // A page of DevTools imports its own files, which the source names `.js` too.
          .filter(([all]) => !source.includes(all))
          .map(([, to = '']) => posix.join(posix.dirname(path), to))
          .filter((to) => !names.has(to))
          .map((to) => `${path}: ${to}`)
      );
    });
  expect(missing).toEqual([]);
  expect(names).toContain('harness/cli.js');
});

test('the package has no code that only tests and scripts use', () => {
  const unused = /\.test\.|fixture|under-test|made-up|panel-browser|harness\/situations/;
  expect(files.filter((path) => unused.test(path))).toEqual([]);
});
