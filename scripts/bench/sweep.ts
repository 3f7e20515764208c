import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { codingLabels } from '@cachescope/model/coding.ts';
import { digits } from '@cachescope/model/quantity.ts';
import { type SweepSummary, summarize } from '@cachescope/model/sweep/summary.ts';
import { timeBetweenReads } from '../../harness/experiments/sweep/time-between-reads.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { temporaryDirectory } from './place.ts';

const cli = join(import.meta.dirname, '../../harness/cli.ts');

/** Runs the default sweep: its duration, and its results. */
async function takeSweep(directory: string) {
  const start = performance.now();
  const args = ['sweep', '0', '10', '1', '--samples', '20', '--no-recompress', '--out', directory];
  const { status } = spawnSync(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`the sweep ended with code ${status}`);
  const { run, samples } = await readRunOf('sweep', directory);
  return { wallMs, between: timeBetweenReads(samples), run, summary: summarize(run, samples) };
}

/** Runs the default sweep twice: its duration, its linearity, and its repeatability. */
export async function measureSweep(): Promise<void> {
  using directory = temporaryDirectory();
  const taken = [
    await takeSweep(join(directory.path, 'first')),
    await takeSweep(join(directory.path, 'second')),
  ];
  for (const { wallMs, between, run } of taken) {
    const share = run.timeSpent ? (100 * run.timeSpent.measuringMs) / wallMs : Number.NaN;
    console.log(
      `sweep 0 10 1 --samples 20: ${(wallMs / 1000).toFixed(1)} s, ${share.toFixed(0)} % inside timed reads (goal: within 75 s and at least 45 %)`,
    );
    console.log(
      `between two reads: ${digits(between.betweenMs)} ms (goal: at most 20), of which preparing the page cache ${digits(between.evictionMs)} ms; ` +
        `a change of the delay, with its proof, adds ${digits(between.delayChangeMs)} ms`,
    );
  }
  printFits(taken.map(({ summary }) => summary));
}

function printFits([first, second]: SweepSummary[]): void {
  for (const fit of first?.fits ?? []) {
    const again = second?.fits.find((candidate) => candidate.arm === fit.arm);
    const apart = Math.abs(
      ((again?.slopeMsPerMs ?? Number.NaN) / (fit.slopeMsPerMs ?? Number.NaN) - 1) * 100,
    );
    console.log(
      `${codingLabels[fit.arm]}: ${fit.slopeMsPerMs?.toFixed(2)} and ${again?.slopeMsPerMs?.toFixed(2)} ms per ms of delay ` +
        `(${apart.toFixed(1)} % apart, goal within 10 %), R² ${fit.r2?.toFixed(4)} and ${again?.r2?.toFixed(4)} (goal 0.99), ` +
        `device reads ${fit.deviceReads} and ${again?.deviceReads}`,
    );
  }
}
