import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { failedFiles, readTestReport } from './test-report.ts';

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
  assertionResults: statuses.map((each, index) => ({ status: each, fullName: `${name} ${index}` })),
});

test('every test is counted once, and failures keep their names', () => {
  const path = written(
    file('/a', 'passed', 'passed', 'passed', 'pending', 'todo'),
    file('/b', 'failed', 'passed', 'failed', 'failed'),
  );
  const report = readTestReport(path, 1, 'e2e');
  expect(report.get('/a')).toEqual({ passed: 2, failed: 0, skipped: 2, failures: [] });
  expect(report.get('/b')).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: ['/b 1', '/b 2'],
  });
  expect(failedFiles(report)).toEqual(['/b']);
});

test('a file that could not be loaded has failed', () => {
  const report = readTestReport(written(file('/a', 'failed')), 1, 'e2e');
  expect(report.get('/a')).toMatchObject({ failed: 1 });
});

test('a runner that failed of itself, or wrote no report, has failed', () => {
  const path = written(file('/a', 'passed', 'passed'));
  expect(failedFiles(readTestReport(path, 0, 'e2e'))).toEqual([]);
  expect(failedFiles(readTestReport(path, 1, 'e2e'))).toEqual(['e2e']);
  expect(failedFiles(readTestReport(join(directory, 'none.json'), 0, 'unit*'))).toEqual(['unit*']);
});
