// npm test: the check, then every test. Ends with one line, counted from the runner's own report.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

if (process.argv.length > 2) {
  console.error('This script takes no words; its first lines say what it does.');
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reportFile = join(root, '.test-report', 'vitest.json');

interface RunnerReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
}

function run(command: string, args: string[]): number {
  return spawnSync(command, args, { stdio: 'inherit', cwd: root }).status ?? 1;
}

/** The runner's counts; a file that could not even be loaded fails without a test of its own, and is counted as one. */
function readCounts(exitCode: number): { passed: number; failed: number; skipped: number } {
  // A runner that ended before it could report has failed.
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as RunnerReport;
  const failed = report.numFailedTests;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? Math.max(1, report.numFailedTestSuites) : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

const checkCode = run(process.execPath, [join(root, 'scripts', 'check.ts')]);
rmSync(reportFile, { force: true });
mkdirSync(dirname(reportFile), { recursive: true });
const testCode = run('vitest', [
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
]);
const counts = readCounts(testCode);
const failed = counts.failed + (checkCode === 0 ? 0 : 1);
if (checkCode !== 0) console.log('npm run check failed; it is counted as one failed test.');
console.log(`Tests: ${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped`);
process.exit(failed === 0 && testCode === 0 ? 0 : 1);
