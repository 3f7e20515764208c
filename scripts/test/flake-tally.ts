import type { TestReport } from './test-report.ts';

/** Results of one file over all rounds. */
export interface FileTally {
  /** Rounds in which the file ran. */
  runs: number;
  /** Rounds in which at least one of its tests failed. */
  failedRuns: number;
  /** Duration of each round, s. */
  seconds: number[];
}

/** Number of failures of one test, with its first error. */
export interface TestTally {
  file: string;
  name: string;
  failures: number;
  firstError: string;
}

/** Counts the failures of many rounds by file and by test. */
export class FlakeTally {
  readonly files = new Map<string, FileTally>();
  readonly tests = new Map<string, TestTally>();

  add(report: TestReport): void {
    for (const [file, { failures, durationMs }] of report) {
      const tally = this.files.get(file) ?? { runs: 0, failedRuns: 0, seconds: [] };
      this.files.set(file, {
        runs: tally.runs + 1,
        failedRuns: tally.failedRuns + (failures.length > 0 ? 1 : 0),
        seconds: [...tally.seconds, durationMs / 1000],
      });
      for (const { name, error } of failures) this.#addFailure(file, name, error);
    }
  }

  /** Rounds of a file with a failure, summed over all files. */
  get failedRuns(): number {
    return [...this.files.values()].reduce((sum, { failedRuns }) => sum + failedRuns, 0);
  }

  #addFailure(file: string, name: string, error: string): void {
    const key = `${file} ${name}`;
    const failures = (this.tests.get(key)?.failures ?? 0) + 1;
    const firstError = this.tests.get(key)?.firstError ?? error;
    this.tests.set(key, { file, name, failures, firstError });
  }
}
