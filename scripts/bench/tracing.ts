import { traceBrowser } from '../../harness/browser/browser-trace.ts';
import { tracedCategories } from '../../harness/trace/netlog-request.ts';
import { printRatios } from './ratio.ts';
import { noReadings, takeReads, withTracedBrowser } from './traced-browser.ts';

const launches = 3;
const blocks = 6;
const readsPerBlock = 8;

/**
 * Overhead of tracing on a read: traced against untraced reads, in alternating blocks; in reverse order every second
 * time.
 */
export async function measureTracing(): Promise<void> {
  const [traced, untraced] = [noReadings(), noReadings()];
  for (let launch = 0; launch < launches; launch++) {
    await withTracedBrowser(async (browser) => {
      for (let block = 0; block < blocks; block++) {
        const reads = { launch: launch * blocks + block, count: readsPerBlock };
        const takeUntraced = () => takeReads(browser, untraced, { ...reads, marks: false });
        const takeTraced = async () => {
          const { trace } = await traceBrowser(browser.root, tracedCategories, () =>
            takeReads(browser, traced, { ...reads, marks: true }),
          );
          for await (const _ of trace.pieces);
        };
        const steps = [takeUntraced, takeTraced];
        for (const take of block % 2 === 0 ? steps : steps.toReversed()) await take();
      }
    });
  }
  printRatios(['traced', traced], ['untraced', untraced]);
}
