import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Origin } from '@cachescope/origin/server.ts';
import {
  type Outcome,
  sceneOf,
  type Situation,
  situationPath,
} from '@cachescope/origin/situations/situation.ts';
import type { Browser, Page } from 'puppeteer-core';
import { closeBrowser } from '../browser/browser-exit.ts';
import { findChromium } from '../browser/find.ts';
import { startIn } from '../browser/start.ts';
import { outcomeOf } from './outcome.ts';
import { takeSteps } from './play.ts';

/** A Chromium that Puppeteer drives, without the extension, as its users have it. */
export interface DrivenBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** Starts Chromium with a fresh profile. It trusts the origin's secure server. */
export async function startDrivenBrowser(origin: Origin): Promise<DrivenBrowser> {
  const chromium = await findChromium(undefined);
  if (!chromium) throw new Error('no Chromium was found');
  const directory = await mkdtemp(join(tmpdir(), 'cachescope-driven-'));
  const trust = `--ignore-certificate-errors-spki-list=${origin.secure?.publicKeySha256 ?? ''}`;
  const browser = await startIn(directory, chromium.path, [trust]);
  return {
    browser,
    async close() {
      await closeBrowser(browser);
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A situation that came about, before its page is left. */
export interface Staged {
  situation: Situation;
  /** What the origin's log shows. */
  outcome: Outcome;
  /** The tab of the last step. */
  page: Page;
  /** Path of a file in this run. */
  pathOf: (file: string) => string;
}

let plays = 0;

/**
 * Plays situations one after another, each in tabs of its own, and lets `judge` look at the pages of those that came about.
 * Situations that start the browser again, or need flags, are not played.
 */
export async function stage(
  wanted: readonly Situation[],
  origin: Origin,
  browser: Browser,
  open: (page: Page) => Promise<void>,
  judge: (staged: Staged) => Promise<void>,
): Promise<void> {
  const playable = wanted.filter(
    ({ steps, flags }) => !flags && steps.every(({ kind }) => kind !== 'relaunch'),
  );
  for (const [, scene] of Map.groupBy(playable, sceneOf)) {
    const [first] = scene;
    if (!first) continue;
    const tabs: Page[] = [];
    let page: Page | undefined;
    const playing = `driven-${plays++}`;
    const pathOf = (file: string) => situationPath(playing, sceneOf(first), file);
    const turnTo = async (tab: 0 | 1) => {
      page = tabs[tab];
      if (page) return;
      page = tabs[tab] = await browser.newPage();
      await open(page);
    };
    const driven = {
      turnTo,
      // A visit to a document that never ends settles too: the origin tells when it is done.
      visit: async (url: string) => void page?.goto(url).catch(() => undefined),
      reload: async (ignoreCache: boolean) =>
        void page?.reload({ ignoreCache }).catch(() => undefined),
      relaunch: () => Promise.reject(new Error('not played')),
    };
    const { mark, isDone } = await takeSteps(first, { origin, browser: driven, pathOf });
    const requests = origin.log.since(mark);
    for (const situation of isDone ? scene : []) {
      const outcome = outcomeOf(situation, { requests, pathOf });
      if (outcome && page) await judge({ situation, outcome, page, pathOf });
    }
    for (const tab of tabs) await tab.close();
  }
}

/** Whether a URL is that of a file of this run; a judged `data:` or `blob:` is any of these. */
export function isFile({ pathOf }: Staged, file: string, url: string): boolean {
  if (file.endsWith(':')) return url.startsWith(file);
  return URL.parse(url)?.pathname === pathOf(file);
}
