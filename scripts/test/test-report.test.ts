import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type FileResult, readTestReport } from './test-report.ts';

const directory = mkdtempSync(join(tmpdir(), 'cachescope-report-'));
afterAll(() => rmSync(directory, { recursive: true }));

function written(...results: [string, FileResult][]): string {
  const path = join(directory, 'report.json');
  writeFileSync(path, JSON.stringify(results));
  return path;
}

const passed: FileResult = { passed: 2, failed: 0, skipped: 1, failures: [], durationMs: 5 };

test("the reporter's results are read, file by file", () => {
  const failures = [{ name: 'one', error: 'why' }];
  const failed: FileResult = { ...passed, failed: 1, failures };
  const path = written(['/a', passed], ['/b', failed]);
  expect([...readTestReport(path, 1, 'flow')]).toEqual([
    ['/a', passed],
    ['/b', failed],
  ]);
});

test('a runner that failed outside a test, or wrote no report, counts as failed', () => {
  const path = written(['/a', passed]);
  const failedOf = (exitCode: number, from = path) =>
    [...readTestReport(from, exitCode, 'flow')].flatMap(([, { failures }]) => failures);
  expect(failedOf(0)).toEqual([]);
  expect(failedOf(1)).toMatchObject([{ name: 'test runner of flow' }]);
  expect(failedOf(0, join(directory, 'none.json'))).toHaveLength(1);
});

test("a truncated report is ignored, and the end of the runner's output is its error", () => {
  const path = join(directory, 'cut.json');
  writeFileSync(path, '[["/a",');
  const [[, result] = []] = [...readTestReport(path, 143, 'flow', 'out of memory')];
  expect(result?.failures).toEqual([
    { name: 'test runner of flow', error: 'exit code 143\nout of memory' },
  ]);
});
