import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { MicroCache } from '@cachescope/model/micro/cache.ts';
import type { MicroMessage, MicroTask, TimedRuns } from '@cachescope/model/micro/task.ts';
import type { CacheHistograms } from '@cachescope/model/run/cache-histograms.ts';
import { microPagePath } from '@cachescope/origin/routes/micro.ts';
import type { Browser, CDPSession } from 'puppeteer-core';
import { browserGone, closeBrowser } from '../../browser/browser-exit.ts';
import { histogramCounts, readCacheHistograms } from '../../browser/cache-histograms.ts';
import { pageCrash } from '../../browser/page-crash.ts';
import { startChromium, type StartOptions } from '../../browser/start.ts';
import { browserSession } from '../../browser/targets.ts';
import { CachescopeError } from '../../error.ts';
import { withTimeLimit } from '../../time-limit.ts';
import type { MicroTasks } from './tasks.ts';

/** Time limit of a page beyond the time of its task, ms. */
const pageLimitMs = 60_000;

/** A page that performs tasks on its own; no debugger is attached to it. */
export interface MicroPage {
  timerStepMs: number;
  crossOriginIsolated: boolean;
  /** null for a task without times. */
  perform(task: MicroTask, limitMs?: number): Promise<TimedRuns | null>;
}

/**
 * A running Chromium without the extension. The extension would be active in the ordinary profile but not in an
 * off-the-record context, and the two are compared.
 */
export class MicroBrowser {
  readonly version: string;
  readonly flags: string[];
  /** Process of the browser; null: unknown. */
  readonly pid: number | null;
  readonly #browser: Browser;
  readonly #root: CDPSession;
  readonly #crashed: Promise<never>;

  private constructor(
    browser: Browser,
    version: string,
    root: CDPSession,
    crashed: Promise<never>,
  ) {
    this.#browser = browser;
    this.version = version;
    this.flags = browser.process()?.spawnargs.slice(1) ?? [];
    this.pid = browser.process()?.pid ?? null;
    this.#root = root;
    this.#crashed = crashed;
  }

  /** @throws CachescopeError CS_BROWSER_LAUNCH when Chromium does not start within 2 min. */
  static launch(options: StartOptions): Promise<MicroBrowser> {
    // Temporary files that a killed browser leaves behind are removed with its profile.
    const temporaryDirectory = join(dirname(options.profileDirectory), 't');
    return startChromium({ ...options, temporaryDirectory }, async (browser) => {
      const crashed = Promise.race([(await pageCrash(browser)).crashed, browserGone(browser)]);
      crashed.catch(() => undefined);
      const root = await browserSession(browser);
      return new MicroBrowser(browser, await browser.version(), root, crashed);
    });
  }

  /**
   * Opens a page that reads through a cache: off the record for `memory`, behind a service worker for `service-worker`.
   */
  async open(originUrl: string, tasks: MicroTasks, cache: MicroCache): Promise<MicroPage> {
    const pageId = randomUUID();
    const orders = tasks.announce(pageId);
    const context =
      cache === 'memory' ? await this.#root.send('Target.createBrowserContext') : null;
    const url = originUrl + microPagePath(pageId, cache === 'service-worker');
    const { targetId } = await this.#root.send('Target.createTarget', { url, ...context });
    const ready = await this.#within(`Opening ${url}`, pageLimitMs, orders.message);
    if (ready.kind !== 'ready') throw pageError(url, ready);
    const { timerStepMs, crossOriginIsolated } = ready;
    return {
      timerStepMs,
      crossOriginIsolated,
      perform: async (task, limitMs = 0) => {
        await this.#root.send('Target.activateTarget', { targetId });
        const what = `The task ${task.kind} of ${cache}`;
        const done = await this.#within(what, limitMs + pageLimitMs, orders.perform(task));
        if (done.kind !== 'done') throw pageError(what, done);
        return done.timed;
      },
    };
  }

  #within<Result>(what: string, limitMs: number, work: Promise<Result>): Promise<Result> {
    return withTimeLimit(what, limitMs, Promise.race([work, this.#crashed]));
  }

  /** The browser's own counts of its HTTP cache since it started. Nothing may be timed meanwhile: it opens a page. */
  cacheHistograms(): Promise<CacheHistograms> {
    return readCacheHistograms(this.#browser);
  }

  /** The number of values in each of these histograms, as above. */
  counts(names: readonly string[]): Promise<Record<string, number>> {
    return histogramCounts(this.#browser, names);
  }

  /** Closes gracefully, so that data that the caches still buffer is written; kills the process after 20 s. */
  close(): Promise<void> {
    return closeBrowser(this.#browser);
  }
}

function pageError(what: string, message: MicroMessage): CachescopeError {
  const reason = message.kind === 'failed' ? message.reason : `the page said ${message.kind}`;
  return new CachescopeError('CS_MICRO_PAGE', `${what}: ${reason}`);
}
