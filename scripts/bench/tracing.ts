import type { Reading } from '@cachescope/model/statistics/readings.ts';
import { traceBrowser } from '../../harness/browser/browser-trace.ts';
import { tracedCategories } from '../../harness/trace/traced-request.ts';
import { ratioWords } from './ratio.ts';
import {
  type ReadSize,
  readSizes,
  type TracedBrowser,
  withTracedBrowser,
} from './traced-browser.ts';

const launches = 3;
const blocks = 6;
const readsPerBlock = 8;

type Readings = Record<'traced' | 'untraced', Reading[]>;

/** Overhead of tracing on a read: traced against untraced reads, in alternating blocks. */
export async function measureTracing(): Promise<void> {
  const readings = new Map<ReadSize, Readings>();
  for (const size of readSizes) readings.set(size, { traced: [], untraced: [] });
  for (let launch = 0; launch < launches; launch++) {
    await withTracedBrowser(async (browser) => {
      for (let block = 0; block < blocks; block++)
        await takeBlock(browser, launch * blocks + block, readings);
    });
  }
  for (const [size, { traced, untraced }] of readings) {
    console.log(
      `cached read of ${size}, ${ratioWords(['traced', traced], ['untraced', untraced])}`,
    );
  }
}

/** One block untraced and one traced; in reverse order every second time. */
async function takeBlock(
  browser: TracedBrowser,
  block: number,
  readings: ReadonlyMap<ReadSize, Readings>,
): Promise<void> {
  const take = async (kind: keyof Readings): Promise<void> => {
    for (let index = 0; index < readsPerBlock; index++) {
      for (const [size, taken] of readings) {
        const { readMs } = await browser.read(size, kind === 'traced');
        taken[kind].push({ value: readMs, launch: block });
      }
    }
  };
  const takeTraced = async (): Promise<void> => {
    const { trace } = await traceBrowser(browser.root, tracedCategories, () => take('traced'));
    for await (const _ of trace.pieces);
  };
  if (block % 2 === 0) {
    await take('untraced');
    await takeTraced();
  } else {
    await takeTraced();
    await take('untraced');
  }
}
