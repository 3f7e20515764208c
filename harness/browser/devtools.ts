import type { CDPSession } from 'puppeteer-core';
import { sleep } from 'zx';
import { isDevTools, withTarget } from './targets.ts';

/**
 * Chromium's flags that open DevTools with every tab, and no tab at start-up: DevTools windows opened before the
 * extension is loaded never show its panel.
 */
export const openDevToolsFlags = ['--auto-open-devtools-for-tabs', '--no-startup-window'];

/** The extension's page loads 1 to 2 s after DevTools, or 30 s on a busy machine, and only then registers its panel. */
const patienceMs = 120_000;
const pauseMs = 100;

/**
 * Runs in DevTools: shows the first panel that an extension has registered. Returns whether there was one. DevTools
 * keeps its views in a module that its other modules share.
 */
export const showExtensionPanel = `
import('./ui/legacy/legacy.js').then(async ({ ViewManager }) => {
  const views = ViewManager.ViewManager.instance();
  const key = [...views.views.keys()].find((name) => name.startsWith('chrome-extension://'));
  if (key !== undefined) await views.showView(key);
  return key !== undefined;
})`;

/**
 * Shows our panel in one DevTools window. Returns false when the window is gone or has no panel of ours after 2 min.
 */
async function showPanel(root: CDPSession, targetId: string): Promise<boolean> {
  const end = Date.now() + patienceMs;
  try {
    return await withTarget(root, targetId, async (session) => {
      while (Date.now() < end) {
        const { result } = await session.send('Runtime.evaluate', {
          expression: showExtensionPanel,
          awaitPromise: true,
          returnByValue: true,
        });
        if (result.value === true) return true;
        await sleep(pauseMs);
      }
      return false;
    });
  } catch {
    return false;
  }
}

/** Selects our panel in DevTools windows when they open. */
export class PanelKeeper {
  readonly #root: CDPSession;
  readonly #shown = new Map<string, Promise<boolean>>();

  private constructor(root: CDPSession) {
    this.#root = root;
  }

  /** Shows our panel once in every DevTools window that opens from now on; afterwards the user chooses. */
  static async start(root: CDPSession): Promise<PanelKeeper> {
    const keeper = new PanelKeeper(root);
    const see = ({ targetInfo }: { targetInfo: { targetId: string; url: string } }) => {
      const { targetId } = targetInfo;
      if (!isDevTools(targetInfo) || keeper.#shown.has(targetId)) return;
      keeper.#shown.set(targetId, showPanel(root, targetId));
    };
    root.on('Target.targetCreated', see);
    root.on('Target.targetInfoChanged', see);
    await root.send('Target.setDiscoverTargets', { discover: true });
    return keeper;
  }

  /** Resolves to true when this many DevTools windows show our panel; to false after 2 min. */
  async showing(windows: number): Promise<boolean> {
    for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(pauseMs)) {
      const shown = await Promise.all(this.#shown.values());
      if (shown.filter(Boolean).length >= windows) return true;
    }
    return false;
  }

  /** Stops looking for new windows. */
  async stop(): Promise<void> {
    await this.#root.send('Target.setDiscoverTargets', { discover: false }).catch(() => undefined);
  }
}
