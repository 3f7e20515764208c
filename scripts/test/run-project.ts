import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { resultsVariable } from './file-results.ts';
import { readTestReport, type TestReport } from './test-report.ts';

export const root = dirname(dirname(import.meta.dirname));
/** Directory of the runners' reports and the summaries. */
export const reports = join(root, '.test-report');

/**
 * Number of characters kept from the end of a runner's output: they contain the error of a runner that failed outside a
 * test.
 */
const errorCharacters = 2000;

const running = new Map<ChildProcess, Promise<number>>();
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void end(signal));
}

/** Ends the runner with its workers and their children: they are in the runner's process group. */
async function end(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP'): Promise<void> {
  isEnding = true;
  for (const { pid } of running.keys()) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  await Promise.all(running.values());
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs the tests of one vitest project, or only the given files of it.
 *
 * @param logFile receives the runner's full output; without it the output is shown.
 */
export async function runProject(
  project: string,
  files: readonly string[] = [],
  logFile?: string,
): Promise<TestReport> {
  const reportFile = join(reports, `${project.replaceAll('*', '')}.json`);
  mkdirSync(reports, { recursive: true });
  rmSync(reportFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=scripts/test/file-results.ts'];
  const log = logFile === undefined ? undefined : openSync(logFile, 'w');
  const output = log ?? 'inherit';
  const child = spawn('vitest', ['run', '--project', project, ...reporters, ...files], {
    cwd: root,
    stdio: ['ignore', output, output],
    detached: true,
    env: { ...process.env, [resultsVariable]: reportFile },
  });
  const ended = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (exitCode) => resolve(exitCode ?? 1));
  });
  running.set(child, ended);
  const code = await ended;
  running.delete(child);
  // What a runner says that was told to end is no result: this process ends, too.
  if (isEnding) await new Promise<never>(() => {});
  if (logFile === undefined || log === undefined) return readTestReport(reportFile, code, project);
  closeSync(log);
  const printed = readFileSync(logFile, 'utf8').slice(-errorCharacters);
  return readTestReport(reportFile, code, project, printed);
}
