import type { Browser } from 'puppeteer-core';

function isServiceWorker(target: { type(): string; url(): string }): boolean {
  return target.type() === 'service_worker' && target.url().startsWith('chrome-extension:');
}

/**
 * Evaluates code in the extension's service worker. By a session of its own each time: a worker that was stopped and
 * started may keep its target, and no session of it.
 */
export async function evaluateInServiceWorker<Answer>(
  browser: Browser,
  code: string,
): Promise<Answer> {
  const target = await browser.waitForTarget(isServiceWorker);
  const session = await target.createCDPSession();
  const options = { expression: code, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', options);
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'it threw');
  return result.value as Answer;
}

/** Stops the service worker. The session that the launch left on it goes first: a worker that is watched is not ended. */
export async function stopServiceWorker(browser: Browser): Promise<void> {
  const target = await browser.waitForTarget(isServiceWorker);
  const worker = await target.worker();
  const isClosed = await worker?.close().then(
    () => true,
    () => false,
  );
  if (isClosed) return;
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const found = targetInfos.find((each) => each.type === 'service_worker');
  if (found) await session.send('Target.closeTarget', { targetId: found.targetId });
  await session.detach();
}
