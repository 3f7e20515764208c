import { existsSync, readFileSync } from 'node:fs';

/** One test that failed. */
export interface Failure {
  /** Full name of the test; of a file that could not be loaded, or of a runner that failed by itself, its name. */
  name: string;
  /** Its errors, each with the difference of the values where there is one. */
  error: string;
}

/** The results of one test file. */
export interface FileResult {
  passed: number;
  /** A file that could not be loaded has no failed test, and counts as one. */
  failed: number;
  skipped: number;
  failures: Failure[];
  /** All tests and hooks of the file, ms. */
  durationMs: number;
}

/** Results by file (absolute path). */
export type TestReport = Map<string, FileResult>;

/** null: a runner that was ended while it wrote left only a part. */
function parsed(text: string): TestReport | null {
  try {
    return new Map(JSON.parse(text) as [string, FileResult][]);
  } catch {
    return null;
  }
}

/**
 * Reads what the runner's reporter wrote (`file-results.ts`). A runner that wrote none, or that failed without a failed test, counts as one
 * failure under the name of its project, with `output`, the end of what it printed.
 */
export function readTestReport(
  path: string,
  exitCode: number,
  project: string,
  output = '',
): TestReport {
  const read = existsSync(path) ? parsed(readFileSync(path, 'utf8')) : null;
  const report: TestReport = new Map(read);
  const hasFailure = [...report.values()].some(({ failed }) => failed > 0);
  if (read === null || (exitCode !== 0 && !hasFailure)) {
    const error = `exit code ${exitCode}\n${output}`.trim();
    const failures = [{ name: `test runner of ${project}`, error }];
    report.set(project, { passed: 0, failed: 1, skipped: 0, failures, durationMs: 0 });
  }
  return report;
}
