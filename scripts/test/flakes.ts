// npm run test:flakes -- ROUNDS [FILE ...] [--busy N] [--tier flow|deep]: runs test files repeatedly beside busy
// processes, and counts the failures of each test. The exit code is 1 when any test failed in any round.
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from '@cachescope/model/markdown.ts';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { startBusyProcesses } from '../busy-processes.ts';
import { FlakeTally } from './flake-tally.ts';
import { reports, root, runProject } from './run-project.ts';
import type { TestReport } from './test-report.ts';

const usage = `Usage: npm run test:flakes -- ROUNDS [FILE ...] [--busy N] [--tier flow|deep]

  ROUNDS   how often each file runs
  FILE     test files; default: all end-to-end files of the tier
  --busy   processes that each keep one core busy beside the tests (default 2)
  --tier   flow (npm test, the default) or deep (npm run test:deep)

The summary of the rounds so far is in .test-report/flakes/summary.md.`;

interface Options {
  rounds: number;
  busy: number;
  /** Files by vitest project. */
  files: Map<string, string[]>;
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
    },
  });
  const [rounds, ...named] = positionals;
  const files = named.length > 0 ? named : globSync(`test/${values.tier}/*.test.ts`, { cwd: root });
  const problems = [
    /^[1-9]\d*$/.test(rounds ?? '') ? '' : `ROUNDS must be a whole number from 1 on: ${rounds}`,
    /^\d+$/.test(values.busy) ? '' : `--busy must be a whole number from 0 on: ${values.busy}`,
    /^(flow|deep)$/.test(values.tier) ? '' : `--tier must be flow or deep: ${values.tier}`,
    ...named.map((file) =>
      globSync(file, { cwd: root }).length === 1 ? '' : `There is no test file ${file}`,
    ),
  ].filter(Boolean);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return {
    rounds: Number(rounds),
    busy: Number(values.busy),
    files: Map.groupBy(files.toSorted(), projectOf),
  };
}

/** The runner's full output of each round with a failure: diffs, and the output of the commands under test. */
const logs = join(reports, 'flakes');
/** The summary of the rounds so far, so that it is kept when a long measurement is interrupted. */
const summaryFile = join(logs, 'summary.md');

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

async function measure({ rounds, busy, files }: Options): Promise<FlakeTally> {
  const tally = new FlakeTally();
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  const busyProcesses = startBusyProcesses(busy);
  const startedAt = performance.now();
  try {
    for (let round = 1; round <= rounds; round++) {
      for (const [project, list] of files) {
        const logFile = join(logs, `${project.replaceAll('*', '')}-${round}.log`);
        const report = await runProject(project, list, logFile);
        tally.add(report);
        printFailures(report, logFile);
      }
      writeFileSync(summaryFile, summary(tally, busy));
      const minutes = (performance.now() - startedAt) / 60_000;
      const left = ((minutes / round) * (rounds - round)).toFixed(0);
      console.error(
        `Round ${round} of ${rounds}: ${tally.failedRuns} failed runs so far, about ${left} min left`,
      );
    }
  } finally {
    busyProcesses.end();
  }
  return tally;
}

function summary(tally: FlakeTally, busy: number): string {
  const rows = [...tally.files].map(([file, { runs, failedRuns, seconds }]) => {
    const numbers = [median(seconds) ?? 0, Math.min(...seconds), Math.max(...seconds)];
    return [relative(root, file), `${runs}`, `${failedRuns}`, ...numbers.map((n) => n.toFixed(1))];
  });
  const failures = [...tally.tests.values()].map(
    (test) =>
      `\n${test.failures} x ${relative(root, test.file)}: ${test.name}\n${test.firstError}\n`,
  );
  const header = ['file', 'runs', 'failed', 'median s', 'min s', 'max s'];
  const title = `Failed runs by file, beside ${busy} busy processes`;
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
  console.log(`\n${summary(tally, options.busy)}`);
  return tally.failedRuns === 0 ? 0 : 1;
}

process.exit(await main());
