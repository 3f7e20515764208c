// npm test: the check, the unit tests, and every user-visible flow once. npm run test:deep: the slower tests. Both end
// with one line of counts, taken from the test runner's own reports. No test runs twice.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { reports, root, runProject } from './run-project.ts';
import type { Failure, TestReport } from './test-report.ts';

/** Lines of a failure's error in the summary; the full error is in the output above. */
const summaryErrorLines = 12;

interface Step {
  name: string;
  run: () => Promise<TestReport>;
}

function check(): TestReport {
  const { status } = spawnSync(process.execPath, ['scripts/check.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status === 0) return new Map();
  const failures = [{ name: 'npm run check', error: `exit code ${status}` }];
  return new Map([['check', { passed: 0, failed: 1, skipped: 0, failures, durationMs: 0 }]]);
}

async function endToEnd(project: string): Promise<TestReport> {
  // Built once, before several programs that need it run in parallel.
  await builtExtension();
  return runProject(project);
}

const tiers: Record<string, readonly Step[]> = {
  flow: [
    { name: 'check', run: async () => check() },
    { name: 'unit tests', run: () => runProject('unit*') },
    { name: 'flows', run: () => endToEnd('flow') },
  ],
  deep: [
    { name: 'properties at length', run: () => runProject('properties') },
    { name: 'deep tests', run: () => endToEnd('deep') },
  ],
};

function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const [tier = 'flow', ...rest] = process.argv.slice(2);
const steps = tiers[tier];
if (!steps || rest.length > 0) {
  console.error('Usage: npm test, or npm run test:deep. Neither takes options.');
  process.exit(2);
}

function described(file: string, { name, error }: Failure): string {
  const cause = error.split('\n').slice(0, summaryErrorLines);
  return [`Failed: ${relative(root, file)}: ${name}`, ...cause.map((line) => `  ${line}`)].join(
    '\n',
  );
}

// A build machine that keeps only the end of the output prints this file again (.ci/run).
const summaryFile = join(reports, `${tier}.txt`);
rmSync(summaryFile, { force: true });

const startedAt = performance.now();
const times: string[] = [];
const failed: string[] = [];
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const { name, run } of steps) {
  const stepStartedAt = performance.now();
  for (const [file, result] of await run()) {
    for (const key of ['passed', 'failed', 'skipped'] as const) counts[key] += result[key];
    failed.push(...result.failures.map((failure) => described(file, failure)));
  }
  times.push(`${name} ${clock(performance.now() - stepStartedAt)}`);
}
const time = `Time: ${clock(performance.now() - startedAt)} minutes:seconds (${times.join(', ')})`;
const closing = `Tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`;
const summary = [...failed, time, closing].join('\n');
mkdirSync(reports, { recursive: true });
writeFileSync(summaryFile, `${summary}\n`);
console.log(summary);
process.exit(counts.failed === 0 ? 0 : 1);
