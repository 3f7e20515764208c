// Draws harness/docs/machines-forest-plot.png, and prints the same plot as text: both are in machines.md.
import { mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { madeUpMachines } from '@cachescope/model/fixtures/made-up-machines.ts';
import type { Sample } from '@cachescope/model/run/sample.ts';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { summarize } from '@cachescope/model/sweep/summary.ts';
import { builtExtension } from '../../harness/browser/extension-build.ts';
import { findChromium } from '../../harness/browser/find.ts';
import { forestPlots } from '../../harness/experiments/sweep/forest-plot.ts';
import { drawnCharts } from '../../harness/results/drawn-charts.ts';
import { htmlReport } from '../../harness/results/html-report.ts';

const picturePath = join(import.meta.dirname, '../../harness/docs/machines-forest-plot.png');

/** Made-up machines: the factor on every read, and how many times the time of Brotli a read of DCB takes. */
const machines = [
  { speed: 1, ratio: 1.31 },
  { speed: 1.18, ratio: 1.12 },
  { speed: 0.84, ratio: 1.28 },
  { speed: 1.07, ratio: 1.21 },
] as const;

/** A read of 30 ms at 5 ms of delay, 4 % to either side by chance, ms. */
function madeUpReadMs({ cell }: Sample, machine: number, random: () => number): number {
  const { speed = 1, ratio = 1 } = machines[machine - 1] ?? {};
  const chance = 0.96 + 0.08 * random();
  return (10 + 4 * cell.delayMs) * speed * (cell.arm === 'dcb' ? ratio : 1) * chance;
}

const random = createRandom(1);
const run = madeUpMachines(machines.length, (sample, machine) =>
  madeUpReadMs(sample, machine, random),
);
const directory = await mkdtemp(join(tmpdir(), 'cachescope-picture-'));
try {
  const report = join(directory, 'report.html');
  await writeFile(report, await htmlReport(await builtExtension(), run));
  const chromium = await findChromium(undefined);
  const problem = await drawnCharts(report, directory, chromium?.path ?? null);
  if (problem !== null) throw new Error(problem);
  const gaps = summarize(run.run, run.samples).machines ?? [];
  const place = gaps.findIndex(({ requestedDelayMs }) => requestedDelayMs === 5);
  await rename(join(directory, 'charts', `machines-${place + 1}.png`), picturePath);
  console.log(`${picturePath}: ${(await stat(picturePath)).size} bytes`);
  console.log(forestPlots(gaps.slice(place, place + 1)));
} finally {
  await rm(directory, { recursive: true });
}
