// npm run test:flakes -- ROUNDS [FILE ...] [--busy N] [--tier flow|deep] [--continue]: runs test files repeatedly beside
// busy processes, and counts the failures of each test. The exit code is 1 when any test failed in any round.
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '@cachescope/model/markdown.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { startBusyProcesses } from '../busy-processes.ts';
import { keepRound, keptRounds, measuredCommits, otherFiles, type Round } from './flake-rounds.ts';
import { FlakeTally } from './flake-tally.ts';
import { reports, root, runProject } from './run-project.ts';
import type { TestReport } from './test-report.ts';

const usage = `Usage: npm run test:flakes -- ROUNDS [FILE ...] [--busy N] [--tier flow|deep] [--continue]

  ROUNDS      how often each file runs
  FILE        paths of test files; default: all end-to-end files of the tier
  --busy      processes that each keep one core busy beside the tests (default 2)
  --tier      flow (npm test, the default) or deep (npm run test:deep)
  --continue  go on after the rounds of the last measurement, until there are ROUNDS

The summary of the rounds so far is in .test-report/flakes/summary.md.`;

interface Options {
  rounds: number;
  busy: number;
  /** Files by vitest project. */
  files: Map<string, string[]>;
  /** Rounds of the last measurement that count. */
  kept: readonly Round[];
}

function projectOf(file: string): string {
  const [, project] = /test\/(flow|deep)\/[^/]+\.e2e\.test\.ts$/.exec(file) ?? [];
  return project ?? 'unit*';
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      busy: { type: 'string', default: '2' },
      tier: { type: 'string', default: 'flow' },
      continue: { type: 'boolean', default: false },
    },
  });
  const [rounds, ...named] = positionals;
  const files = named.length > 0 ? named : globSync(`test/${values.tier}/*.test.ts`, { cwd: root });
  const kept = values.continue ? keptRounds(roundsFile) : [];
  const paths = files.map((file) => resolve(root, file));
  const [otherFile] = otherFiles(kept, paths);
  const otherBusy = kept.find(({ busy }) => busy !== Number(values.busy))?.busy;
  const problems = [
    /^[1-9]\d*$/.test(rounds ?? '') ? '' : `ROUNDS must be a whole number from 1 on: ${rounds}`,
    /^\d+$/.test(values.busy) ? '' : `--busy must be a whole number from 0 on: ${values.busy}`,
    /^(flow|deep)$/.test(values.tier) ? '' : `--tier must be flow or deep: ${values.tier}`,
    otherBusy === undefined ? '' : `The last measurement ran beside --busy ${otherBusy}`,
    otherFile === undefined
      ? ''
      : `The last measurement ran other files, which differ by ${relative(root, otherFile)}: omit --continue to begin anew`,
    ...named.map((file) =>
      globSync(file, { cwd: root }).length === 1
        ? ''
        : `FILE must be the path of a test file, such as test/flow/doctor.e2e.test.ts: ${file}`,
    ),
  ].filter(Boolean);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    rounds: Number(rounds),
    busy: Number(values.busy),
    files: Map.groupBy(files.toSorted(), projectOf),
    kept,
  };
}

/** The runner's full output of each round with a failure: diffs, and the output of the commands under test. */
const logs = join(reports, 'flakes');
/** The summary of the rounds so far, so that it is kept when a long measurement is interrupted. */
const summaryFile = join(logs, 'summary.md');
/** The results of each round, from which `--continue` goes on. */
const roundsFile = join(logs, 'rounds.ndjson');

/** The commit that is measured; with `+` when files differ from it. */
function measuredCommit(): string {
  const words = ['describe', '--always', '--exclude=*', '--dirty=+'];
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

/** Prints the failures of one round immediately, so that they are kept when a long measurement is interrupted. */
function printFailures(report: TestReport, logFile: string): void {
  const failures = [...report].flatMap(([file, { failures: own }]) =>
    own.map(({ name, error }) => `Failed: ${relative(root, file)}: ${name}\n${error}`),
  );
  if (failures.length === 0) {
    rmSync(logFile);
    return;
  }
  const load = loadavg()[0]?.toFixed(1);
  const where = `Load average ${load}; whole output: ${relative(root, logFile)}`;
  console.error([...failures, where].join('\n'));
}

/** Runs every file once. */
async function reportOf(round: number, files: Options['files']): Promise<TestReport> {
  const all: TestReport = new Map();
  for (const [project, list] of files) {
    const logFile = join(logs, `${project.replaceAll('*', '')}-${round}.log`);
    const report = await runProject(project, list, logFile);
    for (const [file, result] of report) all.set(file, result);
    printFailures(report, logFile);
  }
  return all;
}

async function measure({ rounds, busy, files, kept }: Options): Promise<FlakeTally> {
  const done: Round[] = [...kept];
  const tally = new FlakeTally();
  for (const { report } of kept) tally.add(report);
  if (kept.length === 0) rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  // Written anew: the last line may have been cut off.
  rmSync(roundsFile, { force: true });
  for (const round of kept) keepRound(roundsFile, round);
  const busyProcesses = startBusyProcesses(busy);
  const startedAt = performance.now();
  try {
    while (done.length < rounds) {
      const number = done.length + 1;
      const commit = measuredCommit();
      const round = { commit, busy, report: await reportOf(number, files) };
      tally.add(round.report);
      keepRound(roundsFile, round);
      done.push(round);
      writeFileSync(summaryFile, summary(tally, done));
      const minutes = (performance.now() - startedAt) / 60_000;
      const left = (minutes / (number - kept.length)) * (rounds - number);
      console.error(
        `Round ${number} of ${rounds}: ${tally.failedRuns} failed runs so far, about ${left.toFixed(0)} min left`,
      );
    }
  } finally {
    busyProcesses.end();
  }
  console.log(`\n${summary(tally, done)}`);
  return tally;
}

function summary(tally: FlakeTally, rounds: readonly Round[]): string {
  const rows = [...tally.files].map(([file, { runs, failedRuns, seconds }]) => {
    const numbers = [median(seconds) ?? 0, Math.min(...seconds), Math.max(...seconds)];
    return [relative(root, file), `${runs}`, `${failedRuns}`, ...numbers.map((n) => n.toFixed(1))];
  });
  const failures = [...tally.tests.values()].map(
    (test) =>
      `\n${test.failures} x ${relative(root, test.file)}: ${test.name}\n${test.firstError}\n`,
  );
  const header = ['file', 'runs', 'failed', 'median s', 'min s', 'max s'];
  const busy = rounds[0]?.busy ?? 0;
  const title = `Failed runs by file, beside ${busy} busy processes; commit ${measuredCommits(rounds)}`;
  return [`${title}\n\n${markdownTable(header, rows, 1)}`, ...failures].join('');
}

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    console.log(usage);
    return 0;
  }
  let options: Options;
  try {
    options = readOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  await builtExtension();
  const tally = await measure(options);
  return tally.failedRuns === 0 ? 0 : 1;
}

process.exit(await main());
