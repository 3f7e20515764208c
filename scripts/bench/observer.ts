import { join } from 'node:path';
import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Instrument } from '@cachescope/model/load/messages.ts';
import type { CDPSession } from 'puppeteer-core';
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

function observer(
  name: string,
  browser: Observer['browser'],
  depth: Observer['depth'],
  beside: Observer | null,
): Observer {
  return { name, browser, depth, beside };
}

const bare = observer('no extension', 'bare', null, null);
const unwatched = observer('extension, tab not watched', 'extension', null, bare);
const page = observer('depth page', 'extension', 'page', unwatched);
const granted = observer('webRequest granted, no listener', 'webRequest granted', null, bare);
const webRequest = observer('depth webRequest', 'webRequest granted', 'webRequest', granted);
const devtools = observer('DevTools open on the panel', 'extension', 'devtools', unwatched);
const debuggers = observer('depth debugger', 'extension', 'debugger', unwatched);

export const observers: readonly Observer[] = [
  bare,
  unwatched,
  page,
  granted,
  webRequest,
  devtools,
  debuggers,
];

/**
 * The observers in one launch of each browser, block by block; the order within a block is random. Page depth occurs
 * most often.
 */
export const blocks: Readonly<Record<Observer['browser'], readonly (readonly Observer[])[]>> = {
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

export interface BenchPlaces {
  chromiumPath: string;
  extensionDirectory: string;
  /** The extension with webRequest granted from the start. */
  grantedDirectory: string;
  profileDirectory: string;
}

/** A watched tab. */
export interface ObservedTab {
  /** Brings the tab to the front: background tabs run at a lower priority. */
  show(): Promise<void>;
  close(): Promise<void>;
}

/** A browser that opens pages under an observer. */
export interface ObservedBrowser {
  /** Opens a page in a separate tab, watched from before its task begins. */
  open(url: string, depth: Observer['depth']): Promise<ObservedTab>;
  /** CPU time that the browser's processes have used since their start, ms, by process id. */
  cpuMs(): Promise<Map<number, number>>;
  close(): Promise<void>;
}

/** Launches the browser of an observer. Puppeteer attaches to no page. */
export async function launchObserved(
  kind: Observer['browser'],
  places: BenchPlaces,
): Promise<ObservedBrowser> {
  if (kind === 'bare') return launchBare(places);
  const { chromiumPath, extensionDirectory, grantedDirectory, profileDirectory } = places;
  const launched = await launchBrowser({
    executablePath: chromiumPath,
    extensionDirectory: kind === 'extension' ? extensionDirectory : grantedDirectory,
    profileDirectory,
    cacheDirectory: join(profileDirectory, 'cache'),
    headful: false,
  });
  const root = await browserSession(launched.browser);
  const windows = new DevToolsWindows(root, await PanelKeeper.start(root));
  return {
    open: (url, depth) => openWatched(launched.instrument, windows, root, url, depth),
    cpuMs: () => cpuTimes(root),
    close: () => launched.close(),
  };
}

function launchBare({ chromiumPath, profileDirectory }: BenchPlaces): Promise<ObservedBrowser> {
  const options = {
    executablePath: chromiumPath,
    profileDirectory,
    cacheDirectory: join(profileDirectory, 'cache'),
    headful: false,
  };
  return startChromium(options, async (browser) => {
    const root = await browserSession(browser);
    return {
      async open(url) {
        const { targetId } = await root.send('Target.createTarget', { url });
        return tabOf(root, targetId);
      },
      cpuMs: () => cpuTimes(root),
      close: () => browser.close(),
    };
  });
}

async function cpuTimes(root: CDPSession): Promise<Map<number, number>> {
  const { processInfo } = await root.send('SystemInfo.getProcessInfo');
  return new Map(processInfo.map(({ id, cpuTime }) => [id, cpuTime * 1000]));
}

/** DevTools windows of some tabs, each on our panel. */
class DevToolsWindows {
  readonly #root: CDPSession;
  readonly #panels: PanelKeeper;
  #opened = 0;

  constructor(root: CDPSession, panels: PanelKeeper) {
    this.#root = root;
    this.#panels = panels;
  }

  async open(targetId: string): Promise<void> {
    await this.#root.send('Target.openDevTools', { targetId });
    this.#opened++;
    if (!(await this.#panels.showing(this.#opened)))
      throw new Error('DevTools did not show the panel');
  }
}

async function openWatched(
  instrument: Instrument,
  windows: DevToolsWindows,
  root: CDPSession,
  url: string,
  depth: Observer['depth'],
): Promise<ObservedTab> {
  const { tabId } = await instrument.open(url);
  const target = (await openTabs(root)).find((tab) => tab.url === url);
  if (!target) throw new Error(`no tab shows ${url}`);
  // With DevTools, our panel makes the extension watch the tab.
  if (depth === 'devtools') await windows.open(target.targetId);
  else if (depth !== null) await instrument.watch(tabId, depth);
  return tabOf(root, target.targetId);
}

function tabOf(root: CDPSession, targetId: string): ObservedTab {
  return {
    show: () => root.send('Target.activateTarget', { targetId }),
    close: () => root.send('Target.closeTarget', { targetId }).then(() => undefined),
  };
}
