import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareSides } from '@cachescope/model/compare/build.ts';
import { summarizeComparison } from '@cachescope/model/compare/summary.ts';
import { sideOf } from '@cachescope/model/compare/side.ts';
import type { SweepRunDocument } from '@cachescope/model/sweep/run.ts';
import { readRunOf } from '../../harness/results/run-directory.ts';
import { madeUpRun } from '@cachescope/model/fixtures/made-up-run.ts';
import { temporaryDirectory } from './place.ts';

const samplesEach = 100_000;

/** A made-up run, enlarged: the reads of every cell are repeated in five launches, each time with a small variation. */
function largeRun(phase: number): SweepRunDocument {
  const { run, samples } = madeUpRun(20);
  const timed = samples.filter(({ kind }) => kind === 'timed');
  const many = Array.from({ length: samplesEach }, (_, sequence) => {
    const sample = timed[sequence % timed.length];
    if (!sample) throw new Error('a made-up run has samples');
    const readMs = sample.readMs * (1 + 0.01 * Math.sin(phase + sequence));
    return { ...sample, sequence, readMs };
  });
  return { run, samples: many };
}

/** Duration of a comparison of two runs of 100,000 samples: from files, and from memory. */
export async function measureCompare(): Promise<void> {
  using directory = temporaryDirectory();
  const paths = [0, 1].map((phase) => join(directory.path, `${phase}`));
  for (const [phase, path] of paths.entries()) save(path, largeRun(phase));
  const start = performance.now();
  const runs = await Promise.all(paths.map((path) => readRunOf('sweep', path)));
  const read = performance.now();
  compareRuns(runs);
  const compared = performance.now();
  console.log(
    `Two runs of ${samplesEach.toLocaleString('en-US')} samples: compared in ${(compared - read).toFixed(0)} ms (goal: under 2000 ms); reading and checking their files took ${(read - start).toFixed(0)} ms`,
  );
}

function save(path: string, { run, samples }: SweepRunDocument): void {
  mkdirSync(path);
  writeFileSync(join(path, 'run.json'), JSON.stringify(run));
  const lines = samples.map((sample) => `${JSON.stringify(sample)}\n`);
  writeFileSync(join(path, 'samples.ndjson'), lines.join(''));
}

function compareRuns(runs: readonly SweepRunDocument[]): void {
  const sides = runs.map((run, index) => sideOf(`run ${index}`, { run }, {}, undefined));
  const [first, second] = sides;
  if (!first || !second || 'problems' in first || 'problems' in second)
    throw new Error('the made-up runs cannot be compared');
  const head = { ...madeUpRun(1).run, commandLine: [] };
  const built = compareSides(first.value, second.value, { isOneRun: false }, head);
  if ('problems' in built) throw new Error(built.problems.join('\n'));
  summarizeComparison(built.value);
}
