import type { LabLink } from '@cachescope/model/explore/lab.ts';
import type { CDPSession } from 'puppeteer-core';
import { messageOf } from '../error.ts';
import { withTimeLimit } from '../time-limit.ts';
import { browserExit } from './browser-exit.ts';
import { openDevToolsFlags, PanelKeeper } from './devtools.ts';
import { launchBrowser, type LaunchedBrowser, type LaunchOptions } from './launch.ts';
import { browserSession, openTabs, withTarget } from './targets.ts';

/** Time limit for a page to respond, ms; after it the tab is left as it is. */
const navigationLimitMs = 30_000;
/** Time limit for the extension to hand over the loads that it still holds, ms. */
const saveLimitMs = 60_000;
/** Time limit for a browser whose connection is lost to write its pending data and exit, ms. */
const exitLimitMs = 60_000;

/**
 * A Chromium for interactive use: every tab has DevTools with our panel, and the extension is connected to the lab.
 * Only the extension observes its pages.
 */
export class ExploredBrowser {
  readonly launched: LaunchedBrowser;
  readonly #root: CDPSession;
  readonly #panels: PanelKeeper;
  readonly #warn: (sentence: string) => void;
  #hasEnded = false;

  private constructor(
    launched: LaunchedBrowser,
    root: CDPSession,
    panels: PanelKeeper,
    warn: (sentence: string) => void,
  ) {
    this.launched = launched;
    this.#root = root;
    this.#panels = panels;
    this.#warn = warn;
    launched.browser.on('disconnected', () => void this.#endAfterExit());
  }

  /**
   * Launches Chromium, connects the extension to the lab, and opens the tabs one after another, each with our panel
   * shown before its page loads; one empty tab when there are no URLs. `warn` is called with a sentence for each tab or
   * panel that did not start, and later for loads that could not be saved.
   */
  static async launch(
    options: LaunchOptions,
    link: LabLink,
    urls: readonly string[],
    warn: (sentence: string) => void,
  ): Promise<ExploredBrowser> {
    const extra = [...(options.extra ?? []), ...openDevToolsFlags];
    const launched = await launchBrowser({ ...options, extra });
    try {
      const root = await browserSession(launched.browser);
      const explored = new ExploredBrowser(launched, root, await PanelKeeper.start(root), warn);
      await launched.instrument.connectLab(link);
      const opened = urls.length > 0 ? urls : ['about:blank'];
      for (const [index, url] of opened.entries()) await explored.#open(url, index);
      explored.#followTabs();
      return explored;
    } catch (error) {
      await launched.close();
      throw error;
    }
  }

  /** True once the user has closed the last window, or Chromium is gone and {@link crash} is known. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** How Chromium ended when it crashed or was killed; null while it runs or when it was closed. */
  get crash(): string | null {
    const { exitCode, signalCode } = this.launched.browser.process() ?? {};
    if (signalCode) return `Chromium was ended by ${signalCode}`;
    return exitCode ? `Chromium ended with code ${exitCode}` : null;
  }

  /** URLs of the open tabs, to be opened again. */
  async urls(): Promise<string[]> {
    return (await openTabs(this.#root)).map(({ url }) => url);
  }

  /** Clears the HTTP cache, and with it V8's code cache, the dictionaries and the renderers' memory caches. */
  async clearHttpCache(): Promise<void> {
    const [tab] = await openTabs(this.#root);
    if (!tab) throw new Error('no tab is open');
    await withTarget(this.#root, tab.targetId, (session) =>
      session.send('Network.clearBrowserCache'),
    );
  }

  /** Makes the extension save the loads that it still holds, then closes gracefully. */
  async close(): Promise<void> {
    this.launched.browser.off('disconnected');
    if (!this.#hasEnded) {
      const saving = this.launched.instrument.saveLoads();
      await withTimeLimit('Saving the last loads', saveLimitMs, saving).catch((error: unknown) =>
        this.#warn(messageOf(error)),
      );
    }
    this.#hasEnded = true;
    await this.#panels.stop();
    await this.launched.close();
  }

  /** Headless Chromium keeps running without a tab; a user who closed the last one wants to end. */
  #followTabs(): void {
    this.#root.on('Target.targetDestroyed', () => void this.#endWithoutTabs());
    void this.#endWithoutTabs();
  }

  async #open(url: string, index: number): Promise<void> {
    const { targetId } = await this.#root.send('Target.createTarget', { url: 'about:blank' });
    if (!(await this.#panels.showing(index + 1)))
      this.#warn(`DevTools of ${url} did not show the panel`);
    const navigating = withTarget(this.#root, targetId, (session) =>
      session.send('Page.navigate', { url }),
    );
    await withTimeLimit(`Opening ${url}`, navigationLimitMs, navigating).catch((error: unknown) =>
      this.#warn(messageOf(error)),
    );
  }

  /** The connection is lost before the exit code is known; the exit code distinguishes a crash from a user's close. */
  async #endAfterExit(): Promise<void> {
    const exit = browserExit(this.launched.browser);
    await withTimeLimit('The end of Chromium', exitLimitMs, exit).catch(() => undefined);
    this.#hasEnded = true;
  }

  async #endWithoutTabs(): Promise<void> {
    // A browser that is gone lists no tabs; its exit is awaited elsewhere.
    const tabs = await openTabs(this.#root).catch(() => null);
    if (tabs?.length === 0) this.#hasEnded = true;
  }
}
