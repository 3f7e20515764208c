import { existsSync, readFileSync } from 'node:fs';

/** What the tests of one file came to. */
export interface FileResult {
  passed: number;
  /** A file that could not even be loaded fails without a test of its own, and is counted as one. */
  failed: number;
  skipped: number;
  /** Full names of the tests that failed. */
  failures: string[];
}

/** Results by file, absolute path. */
export type TestReport = Map<string, FileResult>;

/** What is read of vitest's JSON report. */
interface RunnerReport {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

function fileResult({ status, assertionResults }: RunnerReport['testResults'][number]): FileResult {
  const failures = assertionResults.filter((test) => test.status === 'failed');
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  return {
    passed,
    failed: status === 'failed' ? Math.max(1, failures.length) : failures.length,
    skipped: assertionResults.length - passed - failures.length,
    failures: failures.map(({ fullName }) => fullName),
  };
}

/**
 * Reads a report that vitest wrote. A runner that ended before it could report has failed, and so has one that ended with
 * an error that belongs to no file: each is told under the project's name in place of a file's.
 */
export function readTestReport(path: string, exitCode: number, project: string): TestReport {
  const failure = { passed: 0, failed: 1, skipped: 0, failures: [`the runner of ${project}`] };
  if (!existsSync(path)) return new Map([[project, failure]]);
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as RunnerReport;
  const report: TestReport = new Map(testResults.map((file) => [file.name, fileResult(file)]));
  const isTold = [...report.values()].some(({ failed }) => failed > 0);
  if (exitCode !== 0 && !isTold) report.set(project, failure);
  return report;
}

/** The files whose tests failed. */
export function failedFiles(report: TestReport): string[] {
  return [...report].filter(([, { failed }]) => failed > 0).map(([path]) => path);
}
