import { readCacheHistograms } from '../../harness/browser/cache-histograms.ts';
import { printRatios } from './ratio.ts';
import { noReadings, takeReads, withTracedBrowser } from './traced-browser.ts';

const pairs = 20;
const readsPerLaunch = 16;

/**
 * Timed reads of launches that follow a reading of the browser's histograms, against those of launches that follow
 * none, in turn. As in a sweep, the histograms of a launch are read after its last timed read.
 */
export async function measureHistograms(): Promise<void> {
  const [without, after] = [noReadings(), noReadings()];
  for (let pair = 0; pair < pairs; pair++) {
    const reads = { launch: pair, count: readsPerLaunch };
    await withTracedBrowser(async (traced) => {
      await takeReads(traced, without, reads);
      await readCacheHistograms(traced.browser);
    });
    await withTracedBrowser((traced) => takeReads(traced, after, reads));
  }
  printRatios(['after the histograms were read', after], ['without', without]);
  console.log('Goal: ratio at most 1.02.');
}
