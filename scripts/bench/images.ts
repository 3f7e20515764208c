import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@cachescope/model/statistics/quantile.ts';
import { builtExtension, grantedExtension } from '../../harness/browser/extension-build.ts';
import { shuffle } from '../../harness/lab/schedule.ts';
import { launchObserved, type ObservedBrowser, type Observer } from './observer.ts';
import { chromiumPath, temporaryDirectory } from './place.ts';
import { compare } from '@cachescope/model/statistics/comparison.ts';
import { ratioText } from './ratio.ts';
import { startTaskServer, type TaskServer } from './task-server.ts';

const images = 5000;
const pairs = 9;
/** What is done after the load ends within this time, ms; its CPU time counts too. */
const aftermathMs = 3000;
/** A row that is not there so long after that, ms, is missing. */
const rowsLimitMs = 30_000;

interface Way extends Pick<Observer, 'browser' | 'depth'> {
  name: string;
}

const bare: Way = { name: 'no extension', browser: 'bare', depth: null };
const ways: readonly Way[] = [
  bare,
  { name: 'depth page', browser: 'extension', depth: 'page' },
  { name: 'webRequest granted, no listener', browser: 'webRequest granted', depth: null },
  { name: 'depth webRequest', browser: 'webRequest granted', depth: 'webRequest' },
  { name: 'depth debugger', browser: 'extension', depth: 'debugger' },
];

/** A load of the page. */
interface Taken {
  way: Way;
  round: number;
  /** Until its load event. */
  loadMs: number;
  /** Of all processes of the browser. */
  cpuMs: number;
  /** Rows of the load: one for each image, and the document; 0 where it was not watched. */
  rows: number;
}

/** A page of 5,000 images at each depth and without the extension, in nine interleaved rounds; and whether a row is missing. */
export async function measureImages(): Promise<void> {
  using directory = temporaryDirectory();
  const server = await startTaskServer();
  const browsers = new Map<Way['browser'], ObservedBrowser>();
  const taken: Taken[] = [];
  try {
    for (const { browser } of ways)
      if (!browsers.has(browser)) browsers.set(browser, await launched(browser, directory.path));
    for (let round = 0; round <= pairs; round++)
      for (const way of shuffle(ways, Math.random)) {
        const load = await takeLoad(server, browsers.get(way.browser), way, round);
        console.error(
          `round ${round}, ${way.name}: ${load.loadMs.toFixed(0)} ms, ${load.rows} rows`,
        );
        // The first load of a browser is slower.
        if (round > 0) taken.push(load);
      }
  } finally {
    for (const browser of browsers.values()) await browser.close();
    await server.close();
  }
  for (const way of ways) console.log(lineOf(way, taken));
}

async function launched(kind: Way['browser'], directory: string): Promise<ObservedBrowser> {
  return launchObserved(kind, {
    chromiumPath: await chromiumPath(),
    extensionDirectory: await builtExtension(),
    grantedDirectory: await grantedExtension(directory),
    profileDirectory: join(directory, kind.replaceAll(' ', '-')),
  });
}

async function takeLoad(
  server: TaskServer,
  browser: ObservedBrowser | undefined,
  way: Way,
  round: number,
): Promise<Taken> {
  if (!browser) throw new Error(`no browser for ${way.name}`);
  const set = `${way.name}-${round}`.replaceAll(/\W+/g, '-');
  const page = server.page({ kind: 'images', set, count: images });
  const tab = await browser.open(page.url, way.depth);
  await page.ready;
  await tab.show();
  const before = await browser.cpuMs();
  page.begin();
  const [[loadMs = Number.NaN] = []] = await page.times;
  await sleep(aftermathMs);
  const after = await browser.cpuMs();
  const cpuMs = [...after].reduce((sum, [id, ms]) => sum + ms - (before.get(id) ?? 0), 0);
  let rows = 0;
  // Reading a load takes processor time too, so it comes last.
  const untilMs = performance.now() + rowsLimitMs;
  while (way.depth !== null && rows <= images && performance.now() < untilMs) {
    await sleep(200);
    rows = await browser.rows(`/images/${set}/`);
  }
  await tab.close();
  return { way, round, loadMs, cpuMs, rows };
}

function lineOf(way: Way, taken: readonly Taken[]): string {
  const own = taken.filter((each) => each.way === way);
  const without = taken.filter((each) => each.way === bare);
  const lost = own.filter(({ rows }) => rows <= images).length;
  const texts = (['loadMs', 'cpuMs'] as const).map((measure) => {
    const readings = (loads: readonly Taken[]) =>
      loads.map((load) => ({ value: load[measure], launch: load.round }));
    const ratio = ratioText(compare(readings(own), readings(without)));
    const medianMs = median(own.map((load) => load[measure]));
    return `${measure} ${medianMs?.toFixed(0)}, ratio ${ratio}`;
  });
  const rows = way.depth === null ? '' : `; rows missing in ${lost} loads`;
  return `${way.name}: ${texts.join('; ')} (${own.length} pairs)${rows}`;
}
