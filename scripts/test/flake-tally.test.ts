import { expect, test } from 'vitest';
import { FlakeTally } from './flake-tally.ts';
import type { FileResult } from './test-report.ts';

const result = (...errors: string[]): FileResult => ({
  passed: 1,
  failed: errors.length,
  skipped: 0,
  failures: errors.map((error, index) => ({ name: `test ${index}`, error })),
  durationMs: 2000,
});

test('a round with two failed tests is one failed run of its file; each test keeps its first error', () => {
  const tally = new FlakeTally();
  tally.add(
    new Map([
      ['/a', result()],
      ['/b', result('first', 'other')],
    ]),
  );
  tally.add(
    new Map([
      ['/a', result()],
      ['/b', result('second')],
    ]),
  );
  tally.add(
    new Map([
      ['/a', result()],
      ['/b', result()],
    ]),
  );
  expect(tally.files.get('/a')).toEqual({ runs: 3, failedRuns: 0, seconds: [2, 2, 2] });
  expect(tally.files.get('/b')).toMatchObject({ runs: 3, failedRuns: 2 });
  expect([...tally.tests.values()]).toEqual([
    { file: '/b', name: 'test 0', failures: 2, firstError: 'first' },
    { file: '/b', name: 'test 1', failures: 1, firstError: 'other' },
  ]);
  expect(tally.failedRuns).toBe(2);
});
