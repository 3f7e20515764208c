import { existsSync, readFileSync } from 'node:fs';

/** One test that failed. */
export interface Failure {
  /** Full name of the test; of a file that could not be loaded, or of a runner that failed by itself, its name. */
  name: string;
  /** The first error, as the runner prints it; empty when the runner gave none. */
  error: string;
}

/** The results of one test file. */
export interface FileResult {
  passed: number;
  /** A file that could not be loaded has no failed test, and counts as one. */
  failed: number;
  skipped: number;
  failures: Failure[];
  /** From the start of its first test to the end of its last, ms; 0 when none ran. */
  durationMs: number;
}

/** Results by file (absolute path). */
export type TestReport = Map<string, FileResult>;

/** The part of vitest's JSON report that is used. */
interface RunnerReport {
  testResults: {
    name: string;
    status: string;
    message?: string;
    startTime?: number;
    endTime?: number;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
}

function fileResult(file: RunnerReport['testResults'][number]): FileResult {
  const { name, status, message = '', startTime = 0, endTime = 0, assertionResults } = file;
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ name: test.fullName, error: test.failureMessages?.[0] ?? '' }));
  if (status === 'failed' && failures.length === 0) failures.push({ name, error: message });
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  const skipped = assertionResults.filter(({ status: each }) => !/passed|failed/.test(each)).length;
  return { passed, failed: failures.length, skipped, failures, durationMs: endTime - startTime };
}

/** null: a runner that was ended while it wrote left only a part. */
function parsed(text: string): RunnerReport | null {
  try {
    return JSON.parse(text) as RunnerReport;
  } catch {
    return null;
  }
}

/**
 * Reads a report that vitest wrote. A runner that wrote none, or that failed without a failed test, counts as one
 * failure under the name of its project, with `output`, the end of what it printed.
 */
export function readTestReport(
  path: string,
  exitCode: number,
  project: string,
  output = '',
): TestReport {
  const report: TestReport = new Map();
  const read = existsSync(path) ? parsed(readFileSync(path, 'utf8')) : null;
  for (const file of read?.testResults ?? []) report.set(file.name, fileResult(file));
  const hasFailure = [...report.values()].some(({ failed }) => failed > 0);
  if (read === null || (exitCode !== 0 && !hasFailure)) {
    const error = `exit code ${exitCode}\n${output}`.trim();
    const failures = [{ name: `test runner of ${project}`, error }];
    report.set(project, { passed: 0, failed: 1, skipped: 0, failures, durationMs: 0 });
  }
  return report;
}
