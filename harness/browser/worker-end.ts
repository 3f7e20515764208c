import type { Browser } from 'puppeteer-core';
import { browserSession } from './targets.ts';

/** Whether a target of the DevTools protocol, by its type and URL, is the service worker of an extension. */
export function isExtensionWorker(type: string, url: string): boolean {
  return type === 'service_worker' && url.startsWith('chrome-extension://');
}

/**
 * Rejects when a service worker of an extension ends. Chromium starts it with the extension, and again only for an
 * event; Puppeteer does not report the end of one that it has not attached to.
 */
export async function workerEnd(browser: Browser): Promise<{ ended: Promise<never> }> {
  const root = await browserSession(browser);
  const workers = new Set<string>();
  const ended = new Promise<never>((_, reject) => {
    root.on('Target.targetCreated', ({ targetInfo: { targetId, type, url } }) => {
      if (isExtensionWorker(type, url)) workers.add(targetId);
    });
    root.on('Target.targetDestroyed', ({ targetId }) => {
      if (workers.has(targetId)) reject(new Error("the extension's service worker ended"));
    });
  });
  // A caller that awaits it gets the rejection; a rejection that nobody awaits is not an error.
  ended.catch(() => undefined);
  await root.send('Target.setDiscoverTargets', { discover: true });
  return { ended };
}
