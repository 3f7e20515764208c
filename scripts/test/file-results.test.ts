import { expect, test } from 'vitest';
import type { TestModule } from 'vitest/node';
import { resultOf } from './file-results.ts';

interface MadeUp {
  fullName: string;
  state: string;
  errors?: object[];
}

/** The fields of a runner's module that the reporter reads. */
function moduleOf(tests: MadeUp[], { suite = [], file = [] }: Record<string, object[]> = {}) {
  return {
    moduleId: '/a.test.ts',
    children: {
      allTests: () => tests.map((each) => ({ fullName: each.fullName, result: () => each })),
      allSuites: () => [{ fullName: 'suite', errors: () => suite }],
    },
    errors: () => file,
    diagnostic: () => ({ duration: 1234 }),
  } as unknown as TestModule;
}

test('every test is counted once, and a failure has its error and its diff without colors', () => {
  const error = {
    message: 'no',
    stack: `Error: no\n    at a\n    at node_modules/b`,
    diff: '\u001B[32m- 1\u001B[39m\n+ 2',
  };
  const result = resultOf(
    moduleOf([
      { fullName: 'a', state: 'passed' },
      { fullName: 'b', state: 'failed', errors: [error, { message: 'later' }] },
      { fullName: 'c', state: 'skipped' },
      { fullName: 'd', state: 'pending' },
    ]),
  );
  expect(result).toEqual({
    passed: 1,
    failed: 1,
    skipped: 2,
    failures: [{ name: 'b', error: 'Error: no\n- 1\n+ 2\n    at a\nlater' }],
    durationMs: 1234,
  });
});

test('a failed hook and a file that could not be loaded are failures', () => {
  const { failed, failures } = resultOf(
    moduleOf([], { suite: [{ message: 'hook' }], file: [{ message: 'no such module' }] }),
  );
  expect(failed).toBe(2);
  expect(failures).toEqual([
    { name: 'suite', error: 'hook' },
    { name: '/a.test.ts', error: 'no such module' },
  ]);
});
