import type { Browser, CDPSession, Target } from 'puppeteer-core';
import { hangLimitMs } from './hang-limit.ts';

function serviceWorker(browser: Browser): Promise<Target> {
  return browser.waitForTarget(
    (target) => target.type() === 'service_worker' && target.url().startsWith('chrome-extension:'),
    { timeout: hangLimitMs },
  );
}

/**
 * Evaluates code in the extension's service worker. By a session of its own each time: a worker that was stopped and
 * started may keep its target, and no session of it.
 *
 * @throws when the worker is stopped meanwhile: then Chromium gives no answer.
 */
export async function evaluateInServiceWorker<Answer>(
  browser: Browser,
  code: string,
): Promise<Answer> {
  const session = await (await serviceWorker(browser)).createCDPSession();
  // Chromium holds a worker that starts until Puppeteer lets it run. Puppeteer takes one that starts while this session is
  // being made for part of this session (TargetManager, isAutoAttached), and would never let it run.
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
      // What was asked gets no answer any more.
      void session.detach().catch(() => undefined);
      reject(new Error('the service worker was stopped'));
    });
  });
}

/** Stops the service worker. The session that the launch left on it goes first: a worker that is watched is not ended. */
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
  // One that is gone meanwhile has been stopped.
  if (found)
    await session.send('Target.closeTarget', { targetId: found.targetId }).catch(() => undefined);
  await session.detach();
}
