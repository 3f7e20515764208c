import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { directoriesOf } from './directory-pattern.ts';

test('patterns with braces and ranges find directories', () => {
  const base = mkdtempSync(join(tmpdir(), 'cachescope-pattern-test-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  for (const name of ['a1', 'a2', 'b1']) mkdirSync(join(base, name));
  const names = (pattern: string) => {
    const problems: string[] = [];
    const found = directoriesOf(join(base, pattern), problems);
    expect(problems).toEqual([]);
    return found.map((path) => path.slice(base.length + 1));
  };
  expect(names('{a,b}1')).toEqual(['a1', 'b1']);
  expect(names('{a{1..2},b*}')).toEqual(['a1', 'a2', 'b1']);
});

test.each(['{a,b}'.repeat(25), '{1..1000000000}', '{{a,b},{c,d}}'.repeat(20), '{a,b}{1..600}'])(
  'a pattern that stands for too many texts is refused before it is expanded: %s',
  (pattern) => {
    const problems: string[] = [];
    expect(directoriesOf(`/nowhere/${pattern}`, problems)).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('stand for more than 1000 texts')]);
  },
);

test.each([
  ['a'.repeat(100_000), 'at most 4096'],
  [`${'*a'.repeat(60)}b`, 'more than 4 *'],
  ['+(+(a))b', 'groups such as'],
])('a pattern that takes long to match is refused before it is looked for', (pattern, words) => {
  const problems: string[] = [];
  expect(directoriesOf(`/nowhere/${pattern}`, problems)).toEqual([]);
  expect(problems).toEqual([expect.stringContaining(words)]);
});
