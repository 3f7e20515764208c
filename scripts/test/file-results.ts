import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { TestError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import type { FileResult } from './test-report.ts';

/** The environment variable that names the file to write. */
export const resultsVariable = 'CACHESCOPE_TEST_RESULTS';

/**
 * Writes the results of each test file. vitest's own JSON report lacks the time of hooks, in which most end-to-end
 * tests spend most of their time, and the diff between expected and actual value.
 */
export default class FileResults implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[resultsVariable];
    if (path === undefined) throw new Error(`${resultsVariable} must name the file to write`);
    writeFileSync(path, JSON.stringify(modules.map((each) => [each.moduleId, resultOf(each)])));
  }
}

/** A file or a hook that failed outside a test counts as one failure under its name. */
export function resultOf(module: TestModule): FileResult {
  const tests = [...module.children.allTests()];
  const count = (state: string) => tests.filter((each) => each.result().state === state).length;
  const suites = [...module.children.allSuites()];
  const failures = [
    ...tests.map((each) => ({ name: each.fullName, errors: each.result().errors ?? [] })),
    ...suites.map((each) => ({ name: each.fullName, errors: each.errors() })),
    { name: module.moduleId, errors: module.errors() },
  ]
    .filter(({ errors }) => errors.length > 0)
    .map(({ name, errors }) => ({ name, error: errors.map(textOf).join('\n') }));
  return {
    passed: count('passed'),
    failed: failures.length,
    skipped: count('skipped') + count('pending'),
    failures,
    durationMs: module.diagnostic().duration,
  };
}

/** The message, the diff, and the stack frames in the project's own code. */
function textOf({ stack = '', message, diff }: TestError): string {
  const lines = stack.split('\n');
  const places = lines.filter((line) => /^ +at /.test(line) && !line.includes('node_modules'));
  const [words = ''] = stack.split(/\n +at /);
  return stripVTControlCharacters([words || message, diff, ...places].filter(Boolean).join('\n'));
}
