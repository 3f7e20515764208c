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

/**
 * The error codes in the text of files, including comments. A pattern with a star, for a group of codes, does not
 * count.
 */
function codesIn(files: readonly string[]): Set<string> {
  const text = files.map((path) => readFileSync(join(project, path), 'utf8')).join('\n');
  return new Set(text.match(/\bCS(?:_[A-Z]+)+(?![A-Z_])/g));
}

const sources = paths.filter((path) => !path.endsWith('.md') && !path.endsWith('.test.ts'));
const used = codesIn(sources);

test.each(Object.keys(errors))('%s is used in a source', (code) => {
  expect(used).toContain(code);
});

test('every code in a source, a test or a page is registered', () => {
  expect([...codesIn(paths)].filter((code) => !Object.hasOwn(errors, code))).toEqual([]);
});

test('the codes of the installation, which has no imports, are the registered ones', () => {
  const isOfSetup = (code: string) => code.startsWith('CS_SETUP_');
  const registered = Object.keys(errors).filter(isOfSetup);
  const starts = codesIn(['scripts/clone-start.mjs', 'harness/environment/setup/launch.mjs']);
  expect([...starts].filter(isOfSetup).toSorted()).toEqual(registered.toSorted());
});

test.each(Object.entries(errors))('%s says what happened and what to do', (_code, entry) => {
  for (const sentence of [entry.what, entry.fix]) expect(sentence).toMatch(/^\S.{8,}\.$/);
});
