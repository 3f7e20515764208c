import { expect, test } from 'vitest';
import { CachescopeError, messageOf, usageError } from './error.ts';

test('one problem is on the line of the code', () => {
  expect(usageError(['the end is 1, before the start 5']).toString()).toBe(
    'CS_USAGE: the end is 1, before the start 5',
  );
});

test('several problems are all reported, one per line', () => {
  const error = usageError(['first', 'second']);
  expect(error.toString()).toBe('CS_USAGE: \n  - first\n  - second');
  expect(error.exitCode).toBe(2);
});

test('the hint is on a separate line', () => {
  const error = new CachescopeError('CS_COMMAND', 'it failed', { hint: 'Type: y' });
  expect(error.toString()).toBe('CS_COMMAND: it failed\nType: y');
});

test('the exit code is that of the registry, unless the error sets its own', () => {
  expect(new CachescopeError('CS_COMMAND', 'it failed').exitCode).toBe(1);
  expect(new CachescopeError('CS_PRIVILEGE', 'it needs root').exitCode).toBe(3);
  expect(new CachescopeError('CS_STORAGE_GONE', 'it is gone', { exitCode: 3 }).exitCode).toBe(3);
});

test('any thrown value has a message', () => {
  expect([new Error('a'), 'b', null].map(messageOf)).toEqual(['a', 'b', 'null']);
});
