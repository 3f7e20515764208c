// npm test: the check, then every test. Ends with one line, counted from the runner's own reports.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtExtension } from '../harness/browser/extension-build.ts';
import { failedFiles, readTestReport, type TestReport } from './test-report.ts';

if (process.argv.length > 2) {
  console.error('This script takes no words; its first lines say what it does.');
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = join(root, '.test-report');

/** How much others come first while a project runs in the background (nice(1), 0 to 19). */
const backgroundNice = 10;
/** More files than these failing at once is no chance: nothing is run again. */
const mostFilesAgain = 4;

/** The runners that are under way: they end with this program. */
const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    process.exit(128 + constants.signals[signal]);
  });
}

type Place = 'front' | 'background' | 'alone';

/**
 * Runs the tests of one project, or those files of it: before others, or behind them, when what they print appears at
 * their end; or one file after another with nothing beside.
 */
async function runProject(
  project: string,
  place: Place,
  files: readonly string[] = [],
): Promise<TestReport> {
  const reportFile = join(reports, `${project.replaceAll('*', '')}-${place}.json`);
  const words = ['run', '--project', project, '--reporter=default', '--reporter=json'];
  const lone = place === 'alone' ? ['--no-file-parallelism'] : [];
  const child = spawn('vitest', [...words, ...lone, `--outputFile.json=${reportFile}`, ...files], {
    cwd: root,
    stdio: place === 'background' ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  // What it starts inherits it.
  if (place === 'background' && child.pid) setPriority(child.pid, backgroundNice);
  const said: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const code = await new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (exitCode) => resolve(exitCode ?? 1));
  });
  process.stdout.write(Buffer.concat(said));
  return readTestReport(reportFile, code, project);
}

/**
 * Files that failed run once more, with nothing beside: on a machine that others use too, a browser may miss any time limit
 * once. What passed only then is told by name; what fails again has failed.
 */
async function runAgain(project: string, report: TestReport): Promise<void> {
  const files = failedFiles(report).filter((path) => existsSync(path));
  if (files.length === 0 || files.length > mostFilesAgain) return;
  console.log(`Once more, alone: ${files.map((path) => relative(root, path)).join(', ')}`);
  for (const [path, second] of await runProject(project, 'alone', files)) {
    const first = report.get(path)?.failures ?? [];
    const passed = first.filter((name) => !second.failures.includes(name));
    // A file whose setting up failed has no failed test.
    const names = first.length === 0 && second.failed === 0 ? [relative(root, path)] : passed;
    for (const name of names) console.log(`Passed at the second try only: ${name}`);
    report.set(path, second);
  }
}

const checkCode = spawnSync(process.execPath, [join(root, 'scripts', 'check.ts')], {
  stdio: 'inherit',
  cwd: root,
}).status;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const unit = await runProject('unit*', 'front');
// Built once, before programs that need it run side by side.
await builtExtension();
const emulating = runProject('emulator', 'background');
const quick = await runProject('quick', 'front');
const e2e = await runProject('e2e', 'front');
const emulator = await emulating;
await runAgain('unit*', unit);
await runAgain('quick', quick);
await runAgain('e2e', e2e);
await runAgain('emulator', emulator);

const results = [unit, quick, e2e, emulator].flatMap((report) => [...report.values()]);
if (checkCode !== 0) {
  console.log('npm run check failed; it is counted as one failed test.');
  results.push({ passed: 0, failed: 1, skipped: 0, failures: ['npm run check'] });
}
const sum = (of: 'passed' | 'failed' | 'skipped'): number =>
  results.reduce((total, result) => total + result[of], 0);
console.log(`Tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') === 0 ? 0 : 1);
