import type { Browser, CDPSession, Target } from 'puppeteer-core';
import { hangLimitMs } from './hang-limit.ts';

function serviceWorker(browser: Browser): Promise<Target> {
  return browser.waitForTarget(
    (target) => target.type() === 'service_worker' && target.url().startsWith('chrome-extension:'),
    { timeout: hangLimitMs },
  );
}

/**
 * Evaluates code in the extension's service worker, each time in a new session: a worker that was stopped and restarted
 * may keep its target, but loses all sessions.
 * @throws when the worker is stopped meanwhile: Chromium then never answers.
 */
export async function evaluateInServiceWorker<Answer>(
  browser: Browser,
  code: string,
): Promise<Answer> {
  const session = await (await serviceWorker(browser)).createCDPSession();
  // Chromium pauses a starting worker until Puppeteer resumes it. If a worker starts while this session is being
  // created, Puppeteer treats it as part of this session (TargetManager, isAutoAttached) and would never resume it.
  await session.send('Runtime.runIfWaitingForDebugger').catch(() => undefined);
  const options = { expression: code, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await Promise.race([
    session.send('Runtime.evaluate', options, { timeout: hangLimitMs }),
    whenStopped(session),
  ]);
  await session.detach();
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? 'it threw');
  return result.value as Answer;
}

/** Rejects when the target of the session stops. */
function whenStopped(session: CDPSession): Promise<never> {
  return new Promise((_, reject) => {
    session.send('Inspector.enable').catch(reject);
    session.once('Inspector.targetCrashed', () => {
      // Pending requests get no answer any more.
      void session.detach().catch(() => undefined);
      reject(new Error('the service worker was stopped'));
    });
  });
}

/**
 * Stops the service worker. The launch's session on the worker is detached first: Chromium does not stop a worker with
 * an attached session.
 */
export async function stopServiceWorker(browser: Browser): Promise<void> {
  const target = await serviceWorker(browser);
  const worker = await target.worker();
  const isClosed = await worker?.close().then(
    () => true,
    () => false,
  );
  if (isClosed) return;
  const session = await browser.target().createCDPSession();
  const { targetInfos } = await session.send('Target.getTargets');
  const found = targetInfos.find((each) => each.type === 'service_worker');
  // A worker that no longer exists has been stopped.
  if (found)
    await session.send('Target.closeTarget', { targetId: found.targetId }).catch(() => undefined);
  await session.detach();
}
