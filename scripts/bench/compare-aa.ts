import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compareSides } from '@cachescope/model/compare/build.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import { type ComparedCell, summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { defaultAlpha, judge } from '@cachescope/model/statistics/verdict.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';

const cli = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'harness', 'cli.ts');

/** One slow delay per arm and trial, with two arms: 24 delays and the control make 50 trials. */
const delays = ['0', '23', '1'];
const same = ['first', 'second'];

/**
 * A/A test: the same browser against itself, 50 times, each cell a trial. The two identical variants have separate
 * launches, measured interleaved. Every DIFFERENT is a false positive. With AA_RUN=DIR an existing run is judged.
 */
export async function measureCompareAA(): Promise<void> {
  const saved = process.env['AA_RUN'];
  if (saved !== undefined) return report(await readRunOf('sweep', saved));
  const directory = mkdtempSync(join(tmpdir(), 'cachescope-bench-'));
  try {
    report(await readRunOf('sweep', takeSweep(directory)));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function takeSweep(directory: string): string {
  const variants = join(directory, 'variants.json');
  writeFileSync(variants, JSON.stringify(same.map((name) => ({ name }))));
  const out = join(directory, 'run');
  const args = ['sweep', ...delays, '--samples', '20', '--variants', variants, '--out', out];
  const { status } = spawnSync(process.execPath, [cli, ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0 || !existsSync(out)) throw new Error(`the sweep ended with code ${status}`);
  return out;
}

function report(run: SweepRunDocument): void {
  const cells = compared(run);
  const count = (verdicts: readonly { outcome: string }[], outcome: string): number =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  // First each trial by itself, like a user who makes one comparison; then all together, as one comparison does.
  const alone = cells.flatMap(({ comparison }) => judge([comparison], { better: 'lower' }));
  const together = cells.map(({ verdict }) => verdict);
  for (const [how, verdicts] of [
    ['each by itself', alone],
    ['all together (Holm)', together],
  ] as const) {
    console.log(
      `A/A, ${cells.length} trials judged ${how}: DIFFERENT ${count(verdicts, 'DIFFERENT')}, SAME ${count(verdicts, 'SAME')}, UNKNOWN ${count(verdicts, 'UNKNOWN')}`,
    );
  }
  const expected = defaultAlpha * cells.length;
  console.log(
    `By chance at most ${expected.toFixed(1)} of ${cells.length} by themselves are DIFFERENT on average, more than ${mostByChance(cells.length)} in fewer than 1 of 20 runs of this bench; together any at all in at most 1 of 20.`,
  );
  for (const cell of cells.filter((_, index) => alone[index]?.outcome === 'DIFFERENT')) {
    console.log(`  ${Object.values(cell.factors).join(', ')}: ${cell.sentence}`);
  }
}

function compared(run: SweepRunDocument): ComparedCell[] {
  const sides = same.map((variant) => sideOf('the run', { run }, { variant }, undefined));
  const [first, second] = sides;
  if (!first || !second || 'problems' in first || 'problems' in second)
    throw new Error(`the run has no variants ${same.join(' and ')}`);
  const head = { ...run.run, commandLine: [] };
  const built = compareSides(first.value, second.value, { isOneRun: true }, head);
  if ('problems' in built) throw new Error(built.problems.join('\n'));
  return summarizeComparison(built.value).cells;
}

/**
 * Largest number of false positives that chance allows in 95 % of repetitions: a quantile of the binomial distribution.
 */
function mostByChance(trials: number): number {
  let probability = (1 - defaultAlpha) ** trials;
  let sum = probability;
  let most = 0;
  while (sum < 0.95) {
    probability *= ((trials - most) / (most + 1)) * (defaultAlpha / (1 - defaultAlpha));
    most++;
    sum += probability;
  }
  return most;
}
