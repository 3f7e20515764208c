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

const readsPerLaunch = 3;

/** Launches and reads 3 % to either side by chance, 30 ms at 5 ms of delay. */
function madeUpSamples(merged: readonly Sample[]): Sample[] {
  const random = createRandom(1);
  const chance = () => 0.97 + 0.06 * random();
  return merged.flatMap((sample) => {
    const { speed = 1, ratio = 1 } = machines[Number(sample.machine?.slice(1)) - 1] ?? {};
    const { arm, delayMs } = sample.cell;
    const level = (10 + 4 * delayMs) * speed * (arm === 'dcb' ? ratio : 1) * chance();
    return Array.from({ length: readsPerLaunch }, (_, read) => {
      const sequence = readsPerLaunch * sample.sequence + read;
      const takenAt = new Date(400 * sequence + 4000 * sample.launch).toISOString();
      return { ...sample, sequence, takenAt, readMs: level * chance() };
    });
  });
}

const { run, samples: merged } = madeUpMachines(machines.length);
const samples = madeUpSamples(merged);
const document = { run, samples };
const directory = await mkdtemp(join(tmpdir(), 'cachescope-picture-'));
try {
  const report = join(directory, 'report.html');
  await writeFile(report, await htmlReport(await builtExtension(), document));
  const chromium = await findChromium(undefined);
  const problem = await drawnCharts(report, directory, chromium?.path ?? null);
  if (problem !== null) throw new Error(problem);
  const gaps = summarize(run, samples).machines ?? [];
  const place = gaps.findIndex(({ requestedDelayMs }) => requestedDelayMs === 5);
  await rename(join(directory, 'charts', `machines-${place + 1}.png`), picturePath);
  console.log(`${picturePath}: ${(await stat(picturePath)).size} bytes`);
  console.log(forestPlots(gaps.slice(place, place + 1)));
} finally {
  await rm(directory, { recursive: true });
}
