import { existsSync, readFileSync } from 'node:fs';

/** A failed test. */
export interface Failure {
  /** Full name of the test; for a file that could not be loaded, or a runner that failed outside a test, its name. */
  name: string;
  /** Its errors, each with the diff if there is one. */
  error: string;
}

/** The results of one test file. */
export interface FileResult {
  passed: number;
  /** A file that could not be loaded has no failed test, but counts as one. */
  failed: number;
  skipped: number;
  failures: Failure[];
  /** Duration of all tests and hooks of the file, ms. */
  durationMs: number;
}

/** Results by file (absolute path). */
export type TestReport = Map<string, FileResult>;

/** null: the text is truncated, because the runner was ended while it wrote. */
function parsed(text: string): TestReport | null {
  try {
    return new Map(JSON.parse(text) as [string, FileResult][]);
  } catch {
    return null;
  }
}

/**
 * Reads the report of the runner's reporter (`file-results.ts`). A runner that wrote none, or that failed without a
 * failed test, counts as one failure under the name of its project, with `output`, the end of its output.
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
