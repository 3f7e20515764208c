import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readTestReport } from './test-report.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-report-'));
afterAll(() => rmSync(directory, { recursive: true }));

function written(...testResults: object[]): string {
  const path = join(directory, 'report.json');
  writeFileSync(path, JSON.stringify({ testResults }));
  return path;
}

const file = (name: string, status: string, ...statuses: string[]) => ({
  name,
  status,
  assertionResults: statuses.map((each, index) => ({
    status: each,
    fullName: `${name} ${index}`,
    failureMessages: each === 'failed' ? [`error ${index}`, 'later'] : [],
  })),
});

test('every test is counted once, and failures keep their names and first errors', () => {
  const path = written(
    file('/a', 'passed', 'passed', 'passed', 'pending', 'todo'),
    file('/b', 'failed', 'passed', 'failed', 'failed'),
  );
  const report = readTestReport(path, 1, 'flow');
  expect(report.get('/a')).toMatchObject({ passed: 2, failed: 0, skipped: 2, failures: [] });
  expect(report.get('/b')).toMatchObject({ passed: 1, failed: 2, skipped: 0 });
  expect(report.get('/b')?.failures).toEqual([
    { name: '/b 1', error: 'error 1' },
    { name: '/b 2', error: 'error 2' },
  ]);
  expect(report.size).toBe(2);
});

test('a file that could not be loaded has failed', () => {
  const path = written({ ...file('/a', 'failed'), message: 'no such module' });
  expect(readTestReport(path, 1, 'flow').get('/a')).toMatchObject({
    failed: 1,
    failures: [{ name: '/a', error: 'no such module' }],
  });
});

test('a runner that failed by itself, or wrote no report, has failed', () => {
  const path = written(file('/a', 'passed', 'passed'));
  const failedOf = (exitCode: number, from = path) =>
    [...readTestReport(from, exitCode, 'flow')].flatMap(([, { failures }]) => failures);
  expect(failedOf(0)).toEqual([]);
  expect(failedOf(1)).toMatchObject([{ name: 'test runner of flow' }]);
  expect(failedOf(0, join(directory, 'none.json'))).toHaveLength(1);
});

test('a report that was cut off is none, and the end of what the runner printed is its error', () => {
  const path = join(directory, 'cut.json');
  writeFileSync(path, '{"testResults":[');
  const [[, result] = []] = [...readTestReport(path, 143, 'flow', 'out of memory')];
  expect(result?.failures).toEqual([
    { name: 'test runner of flow', error: 'exit code 143\nout of memory' },
  ]);
});
