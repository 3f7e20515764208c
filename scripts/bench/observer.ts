import { join } from 'node:path';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Browser, CDPSession } from 'puppeteer-core';
import { PanelKeeper } from '../../harness/browser/devtools.ts';
import { launchBrowser } from '../../harness/browser/launch.ts';
import { startChromium } from '../../harness/browser/start.ts';
import { browserSession, openTabs } from '../../harness/browser/targets.ts';

/** One way of watching a page. */
export interface Observer {
  name: string;
  /** The browser it needs; observers of one browser share its launches. */
  browser: 'bare' | 'extension' | 'webRequest granted';
  /** Depth at which the tab is watched; null: not watched by us. `devtools`: DevTools is open on our panel. */
  depth: EvidenceDepth | null;
  /**
   * The baseline of the comparison. When both use the same browser, they alternate in one launch, so that
   * launch-to-launch variation cancels out. null: this is the browser without the extension, the last of the chain.
   */
  beside: Observer | null;
}

type Kind = Observer['browser'];
const bare = { name: 'no extension', browser: 'bare', depth: null, beside: null } as const;
const unwatched = observer('extension, tab not watched', 'extension', null, bare);
const page = observer('depth page', 'extension', 'page', unwatched);
const granted = observer('webRequest granted, no listener', 'webRequest granted', null, bare);
const webRequest = observer('depth webRequest', 'webRequest granted', 'webRequest', granted);
const devtools = observer('DevTools open on the panel', 'extension', 'devtools', unwatched);
const debuggers = observer('depth debugger', 'extension', 'debugger', unwatched);

function observer(name: string, browser: Kind, depth: Observer['depth'], beside: Observer) {
  return { name, browser, depth, beside };
}

/**
 * The observers in one launch of each browser, block by block; the order within a block is random. Page depth occurs
 * most often.
 */
export const blocks: Readonly<Record<Kind, readonly (readonly Observer[])[]>> = {
  bare: [[bare], [bare], [bare]],
  extension: [
    [unwatched, page, debuggers],
    [unwatched, page, devtools],
    [unwatched, page, debuggers],
    [unwatched, page, devtools],
    [unwatched, page],
  ],
  'webRequest granted': [
    [granted, webRequest],
    [granted, webRequest],
    [granted, webRequest],
  ],
};

/** Every observer once. */
export const observers: readonly Observer[] = [...new Set(Object.values(blocks).flat(2))];

export interface BenchPlaces {
  chromiumPath: string;
  extensionDirectory: string;
  /** The extension with webRequest granted from the start. */
  grantedDirectory: string;
  profileDirectory: string;
}

/** A browser that opens pages under an observer. */
export interface ObservedBrowser {
  /** Opens a page in a separate tab, watched from before its task begins. */
  open(url: string, depth: Observer['depth']): Promise<ReturnType<typeof tabOf>>;
  /** Rows of the newest load of a page whose URL contains `part`; 0 without such a load. */
  rows(part: string): Promise<number>;
  /** CPU time that the browser's processes have used since their start, ms, by process id. */
  cpuMs(): Promise<Map<number, number>>;
  close(): Promise<void>;
}

/** Launches the browser of an observer. Puppeteer attaches to no page. */
export async function launchObserved(kind: Kind, places: BenchPlaces): Promise<ObservedBrowser> {
  const { chromiumPath, profileDirectory } = places;
  const choice = {
    executablePath: chromiumPath,
    profileDirectory,
    cacheDirectory: join(profileDirectory, 'cache'),
    headful: false,
  };
  if (kind === 'bare') return startChromium(choice, observedBare);
  const extensionDirectory =
    kind === 'extension' ? places.extensionDirectory : places.grantedDirectory;
  const launched = await launchBrowser({ ...choice, extensionDirectory });
  const { browser, instrument } = launched;
  const root = await browserSession(browser);
  const panels = await PanelKeeper.start(root);
  let opened = 0;
  return {
    async open(url, depth) {
      const { tabId } = await instrument.open(url);
      const target = (await openTabs(root)).find((tab) => tab.url === url);
      if (!target) throw new Error(`no tab shows ${url}`);
      const { targetId } = target;
      // With DevTools, our panel makes the extension watch the tab.
      if (depth === 'devtools') {
        await root.send('Target.openDevTools', { targetId });
        opened++;
        if (!(await panels.showing(opened))) throw new Error('DevTools did not show the panel');
      } else if (depth !== null) await instrument.watch(tabId, depth);
      return tabOf(root, targetId);
    },
    async rows(part) {
      const heads = await instrument.loads();
      return heads.find(({ url }) => url.includes(part))?.resourceCount ?? 0;
    },
    cpuMs: () => cpuTimes(root),
    close: () => launched.close(),
  };
}

async function observedBare(browser: Browser): Promise<ObservedBrowser> {
  const root = await browserSession(browser);
  return {
    async open(url) {
      const { targetId } = await root.send('Target.createTarget', { url });
      return tabOf(root, targetId);
    },
    rows: async () => 0,
    cpuMs: () => cpuTimes(root),
    close: () => browser.close(),
  };
}

async function cpuTimes(root: CDPSession): Promise<Map<number, number>> {
  const { processInfo } = await root.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime * 1000]));
}

/** A watched tab. `show` brings it to the front: background tabs run at a lower priority. */
function tabOf(root: CDPSession, targetId: string) {
  return {
    show: () => root.send('Target.activateTarget', { targetId }),
    close: () => root.send('Target.closeTarget', { targetId }).then(() => undefined),
  };
}
