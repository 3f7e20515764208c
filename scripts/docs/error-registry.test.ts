import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@cachescope/model/errors/index.ts';
import { expect, test } from 'vitest';

const project = join(import.meta.dirname, '../..');
const exclude = [
  '**/node_modules/**',
  '**/dist/**',
  'extension/model/errors/**',
  'harness/docs/errors.md',
];
const paths = globSync('{*.md,{extension,harness,origin,scripts,test}/**/*.{ts,mjs,md}}', {
  cwd: project,
  exclude,
});

/** The codes that files name, in printed texts and comments too. A name with a star, as of a family, is none. */
function codesIn(files: readonly string[]): Set<string> {
  const text = files.map((path) => readFileSync(join(project, path), 'utf8')).join('\n');
  return new Set(text.match(/\bCS(?:_[A-Z]+)+(?![A-Z_])/g));
}

const sources = paths.filter((path) => !path.endsWith('.md') && !path.endsWith('.test.ts'));
const used = codesIn(sources);

test.each(Object.keys(errors))('%s is an error of some source', (code) => {
  expect(used).toContain(code);
});

test('every code that a source, a test or a page names is registered', () => {
  expect([...codesIn(paths)].filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
});

test('the codes of the installation, which imports nothing, are the registered ones', () => {
  const registered = Object.keys(errors).filter((code) => code.startsWith('CS_SETUP_'));
  const starts = ['scripts/start.mjs', 'scripts/recent-node.mjs'];
  expect([...codesIn(starts)].toSorted()).toEqual(registered.toSorted());
});

test.each(Object.entries(errors))('%s says what happened and what to do', (_code, entry) => {
  for (const sentence of [entry.what, entry.fix]) expect(sentence).toMatch(/^\S.{8,}\.$/);
});
