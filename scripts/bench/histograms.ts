import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { readCacheHistograms } from '../../harness/browser/cache-histograms.ts';
import { ratioWords } from './ratio.ts';
import { readSizes, type TracedBrowser, withTracedBrowser } from './traced-browser.ts';

const pairs = 20;
const readsPerLaunch = 16;

type Readings = ReadonlyMap<(typeof readSizes)[number], Reading[]>;
const noReadings = (): Readings => new Map(readSizes.map((size) => [size, []]));

/**
 * Timed reads of launches that follow a reading of the browser's histograms, against those of launches that follow
 * none, in turn. As in a sweep, the histograms of a launch are read after its last timed read.
 */
export async function measureHistograms(): Promise<void> {
  const [without, after] = [noReadings(), noReadings()];
  for (let pair = 0; pair < pairs; pair++) {
    await withTracedBrowser(async (traced) => {
      await takeReads(traced, pair, without);
      await readCacheHistograms(traced.browser);
    });
    await withTracedBrowser((traced) => takeReads(traced, pair, after));
  }
  for (const size of readSizes)
    console.log(
      `cached read of ${size}, ${ratioWords(['after the histograms were read', after.get(size) ?? []], ['without', without.get(size) ?? []])}`,
    );
  console.log('Goal: ratio at most 1.02.');
}

async function takeReads(
  { read }: TracedBrowser,
  launch: number,
  readings: Readings,
): Promise<void> {
  for (let index = 0; index < readsPerLaunch; index++)
    for (const [size, taken] of readings) {
      const { readMs } = await read(size);
      taken.push({ value: readMs, launch });
    }
}
