// npm test: the check, then every test. Ends with one line, counted from the runner's own reports.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtExtension } from '../harness/browser/extension-build.ts';

if (process.argv.length > 2) {
  console.error('This script takes no words; its first lines say what it does.');
  process.exit(2);
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const reports = join(root, '.test-report');

interface RunnerReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  numFailedTestSuites: number;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The runner's counts; a file that could not even be loaded fails without a test of its own, and is counted as one. */
function readCounts(reportFile: string, exitCode: number): Counts {
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

/** How much others come first while a project runs in the background (nice(1), 0 to 19). */
const backgroundNice = 10;

/** Runs the tests of one project: by themselves, or behind others, when what they print appears at their end. */
async function runProject(project: string, place: 'front' | 'background'): Promise<Counts> {
  const reportFile = join(reports, `${project.replaceAll('*', '')}.json`);
  const words = ['run', '--project', project, '--reporter=default', '--reporter=json'];
  const child = spawn('vitest', [...words, `--outputFile.json=${reportFile}`], {
    cwd: root,
    stdio: place === 'front' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
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
  return readCounts(reportFile, code);
}

const checkCode = spawnSync(process.execPath, [join(root, 'scripts', 'check.ts')], {
  stdio: 'inherit',
  cwd: root,
}).status;
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
const counts = [await runProject('unit*', 'front')];
// Built once, before programs that need it run side by side.
await builtExtension();
const emulated = runProject('emulator', 'background');
for (const project of ['quick', 'e2e']) counts.push(await runProject(project, 'front'));
counts.push(await emulated);
if (checkCode !== 0) {
  console.log('npm run check failed; it is counted as one failed test.');
  counts.push({ passed: 0, failed: 1, skipped: 0 });
}
const sum = (of: keyof Counts): number => counts.reduce((total, count) => total + count[of], 0);
console.log(`Tests: ${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
process.exit(sum('failed') === 0 ? 0 : 1);
