import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserChoice } from '../browser/settings.ts';
import { closeBrowser, killBrowser } from '../browser/browser-exit.ts';
import { startIn } from '../browser/start.ts';
import type { Browser, Page } from 'puppeteer-core';
import { CachescopeError } from '../error.ts';
import { type ConformanceOrigin, dictionaryPath, probePath } from './origin.ts';
import { readIn } from './read-in-page.ts';
import type { PageKind } from './situation.ts';

/** How a side's browser is started. */
export type Side = BrowserChoice & { executablePath: string };

/** A browser that has a dictionary advertises it within this many requests, with this pause between them, ms. */
const mostProbes = 300;
const probeEveryMs = 100;

const plain = { init: {}, by: 'fetch', abortAfterBytes: null, shows: [] } as const;

/** A browser with its own profile and cache, which can be closed, killed and started again. It holds the dictionary. */
export class ConformanceBrowser implements AsyncDisposable {
  readonly origin: ConformanceOrigin;
  readonly directory: string;
  #browser: Browser | undefined;
  #page: Page | undefined;

  private constructor(origin: ConformanceOrigin, directory: string) {
    this.origin = origin;
    this.directory = directory;
  }

  /** @param directory a new directory, which the caller removes. */
  static async open(
    origin: ConformanceOrigin,
    directory: string,
    side: Side,
  ): Promise<ConformanceBrowser> {
    const opened = new ConformanceBrowser(origin, directory);
    try {
      await opened.start(side);
      return opened;
    } catch (error) {
      await opened[Symbol.asyncDispose]();
      throw error;
    }
  }

  get browser(): Browser {
    if (!this.#browser) throw new Error('the browser was not started');
    return this.#browser;
  }

  /** The page that every situation has. */
  get main(): Page {
    if (!this.#page) throw new Error('the browser has no page');
    return this.#page;
  }

  /** Where the browser keeps its cache. */
  get cacheDirectory(): string {
    return join(this.directory, 'cache');
  }

  async start({ executablePath, extra, environment }: Side): Promise<void> {
    this.#browser = await startIn(this.directory, executablePath, extra, {
      protocolTimeout: 0,
      ...(Object.keys(environment).length > 0 && { env: { ...process.env, ...environment } }),
    });
    this.#page = await this.open('/page', {});
    await this.#holdDictionary(this.#page);
  }

  /** Opens a page of a kind at a path of the origin. */
  async open(path: string, { elsewhere, isPrivate }: PageKind): Promise<Page> {
    const { origin, browser } = this;
    const context = isPrivate ? await browser.createBrowserContext() : browser;
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    await page.goto(`${elsewhere ? origin.otherSite : origin.url}${path}`);
    if (isPrivate) await this.#holdDictionary(page);
    return page;
  }

  /** Chromium reads its dictionaries' metadata asynchronously: asks until it advertises one. */
  async #holdDictionary(page: Page): Promise<void> {
    const { origin } = this;
    await readIn(page, { ...plain, url: dictionaryPath, init: { cache: 'reload' } });
    for (let attempt = 0; attempt < mostProbes; attempt++) {
      const mark = origin.asked.length;
      await readIn(page, { ...plain, url: `${probePath}${mark}` });
      if (origin.asked.slice(mark).some(({ hasDictionary }) => hasDictionary)) return;
      await sleep(probeEveryMs);
    }
    throw new CachescopeError(
      'CS_FILL_DICTIONARY',
      `Chromium did not advertise a dictionary within ${mostProbes} requests`,
      { hint: 'Dictionaries need Chromium 130 or newer.' },
    );
  }

  /** Closes the browser gracefully, so that its data is on disk. */
  async stop(): Promise<void> {
    if (this.#browser) await closeBrowser(this.#browser);
  }

  async restart(side: Side): Promise<void> {
    await this.stop();
    await this.start(side);
  }

  /** Kills the browser at whatever point it is. */
  kill(): Promise<void> {
    return killBrowser(this.browser);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
