import { EventEmitter } from 'node:events';
import type { Browser } from 'puppeteer-core';
import { expect, test } from 'vitest';
import { workerEnd } from './worker-end.ts';

/** A browser that reports these targets, and the session on which it reports. */
function browserWith(targets: readonly { targetId: string; type: string; url: string }[]) {
  const root = Object.assign(new EventEmitter(), {
    send: () => {
      for (const targetInfo of targets) root.emit('Target.targetCreated', { targetInfo });
      return Promise.resolve();
    },
  });
  const browser = { target: () => ({ createCDPSession: () => Promise.resolve(root) }) };
  return { root, browser: browser as unknown as Browser };
}

const others = [
  { targetId: 'page', type: 'page', url: 'chrome-extension://a/panel.html' },
  { targetId: 'site', type: 'service_worker', url: 'http://127.0.0.1/worker.js' },
];
const own = { targetId: 'own', type: 'service_worker', url: 'chrome-extension://a/worker.js' };

test('the end of an extension’s service worker is reported', async () => {
  const { root, browser } = browserWith([...others, own]);
  const { ended } = await workerEnd(browser);
  root.emit('Target.targetDestroyed', { targetId: 'own' });
  await expect(ended).rejects.toThrow('service worker ended');
});

test('the end of a page, or of a site’s service worker, is not', async () => {
  const { root, browser } = browserWith([...others, own]);
  const { ended } = await workerEnd(browser);
  for (const { targetId } of others) root.emit('Target.targetDestroyed', { targetId });
  await expect(Promise.race([ended, Promise.resolve('runs')])).resolves.toBe('runs');
});
