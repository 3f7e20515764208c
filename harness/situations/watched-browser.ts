import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instrument } from '@cachescope/model/load/messages.ts';
import type { Origin } from '@cachescope/origin/server.ts';
import { pagePath } from '@cachescope/origin/workloads/urls.ts';
import { findChromium } from '../browser/find.ts';
import { type LaunchedBrowser, launchBrowser, type LaunchOptions } from '../browser/launch.ts';
import { builtExtension, grantedExtension } from '../browser/extension-build.ts';
import { browserSession, openTabs } from '../browser/targets.ts';
import { hasWitness, type Watching, type WatchingName, watchings } from './watching.ts';

/** DevTools takes a second or more to open. */
const betweenReadsMs = 100;

/** A Chromium with the instrument. Its tabs are watched in one way, and driven through the extension alone. */
export interface WatchedBrowser {
  instrument(): Instrument;
  /** Turns to the first tab, or to the second, which has a renderer of its own. Opens it if it is not open yet. */
  turnTo(tab: 0 | 1): Promise<void>;
  visit(url: string): Promise<void>;
  /** `bypassCache`: no cache is used for what the document loads. */
  reload(bypassCache: boolean): Promise<void>;
  /** Closes Chromium, starts it again with the same profile, and turns to the first tab. */
  relaunch(): Promise<void>;
  close(): Promise<void>;
}

/** Starts Chromium with a fresh profile and these flags of its own. It trusts the origin's secure server. */
export async function startWatchedBrowser(
  origin: Origin,
  watching: WatchingName,
  flags: readonly string[] = [],
): Promise<WatchedBrowser> {
  const { depth, hasDevtools }: Watching = watchings[watching];
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-truth-table-'));
  const options = await launchOptions(origin, directory, watching, flags);
  const forget = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  let running = await launchBrowser(options).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  let tabs: number[] = [];
  let current = 0;
  let launches = 1;

  const open = async (tab: 0 | 1) => {
    const { instrument } = running;
    // Loads outlive the browser: those of one launch are no evidence about the next.
    const url = `${origin.url}${pagePath}?launch=${launches}&tab=${tab}`;
    const { tabId } = await instrument.open(url);
    // DevTools reports itself once it is open.
    await instrument.watch(tabId, depth);
    if (hasDevtools) {
      await openDevtools(running, url);
      await devtoolsTells(instrument, tabId, url);
    }
    return tabId;
  };
  const turnTo = async (tab: 0 | 1) => {
    current = tabs[tab] ??= await open(tab);
  };
  const drive = async (method: string, options?: object) => {
    const words = [current, ...(options ? [options] : [])].map((word) => JSON.stringify(word));
    await running.worker.evaluate(`chrome.tabs.${method}(${words.join(', ')})`);
  };

  return {
    instrument: () => running.instrument,
    turnTo,
    // A tab in the background would run its timers late.
    visit: (url) => drive('update', { url, active: true }),
    reload: (bypassCache) => drive('reload', { bypassCache }),
    async relaunch() {
      await running.close();
      running = await launchBrowser(options);
      launches++;
      tabs = [];
      await turnTo(0);
    },
    async close() {
      await running.close();
      await forget();
    },
  };
}

async function launchOptions(
  origin: Origin,
  directory: string,
  watching: WatchingName,
  flags: readonly string[],
): Promise<LaunchOptions> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  return {
    executablePath: chromium.path,
    extensionDirectory: hasWitness(watching, 'webRequest')
      ? await grantedExtension(directory)
      : await builtExtension(),
    profileDirectory: join(directory, 'profile'),
    cacheDirectory: join(directory, 'cache'),
    headful: false,
    extra: [
      `--ignore-certificate-errors-spki-list=${origin.secure?.publicKeySha256 ?? ''}`,
      // Chromium draws tabs and toolbar even when headless, again at every navigation.
      '--start-fullscreen',
      ...flags,
    ],
  };
}

/** The Application panel: while a page loads, it takes less processor time than Elements, Console, Sources or Network. */
const cheapPanel = 'resources';

/** Opens real DevTools on the tab that shows `url`. */
async function openDevtools({ browser }: LaunchedBrowser, url: string): Promise<void> {
  const session = await browserSession(browser);
  const page = (await openTabs(session)).find((tab) => tab.url === url);
  if (!page) throw new Error(`no tab shows ${url}`);
  // The protocol's types do not know it yet.
  const open = 'Target.openDevTools' as 'Target.activateTarget';
  const options = { targetId: page.targetId, panelId: cheapPanel };
  await session.send(open, options);
  await session.detach();
}

/** Settles when DevTools reports what the tab reads: it opens slowly, and misses earlier requests. */
async function devtoolsTells(instrument: Instrument, tabId: number, url: string): Promise<void> {
  for (;;) {
    await instrument.read(tabId, { url, settleMs: betweenReadsMs });
    const head = (await instrument.loads()).find((load) => load.url === url);
    const { resources = [] } = head ? await instrument.load(head.id) : {};
    if (resources.some(({ evidence }) => evidence.devtools)) return;
  }
}
