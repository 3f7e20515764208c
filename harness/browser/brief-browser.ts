import type { Browser } from 'puppeteer-core';
import { onSignals } from '../lab/interrupt.ts';
import { createPrivilege } from '../privilege.ts';
import { makeWorkDirectory } from '../storage/journal/work-directory.ts';
import { closeBrowser } from './browser-exit.ts';

/**
 * Starts a browser in a journaled directory `cachescope-PURPOSE-…`, uses it, closes it and removes the directory. For use
 * outside of a run, which has its own handler of signals: here a signal ends the use, and has its usual effect after
 * everything is removed.
 */
export async function inBriefBrowser<Result>(
  purpose: string,
  start: (directory: string) => Promise<Browser>,
  use: (browser: Browser) => Promise<Result>,
): Promise<Result> {
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => undefined);
  let received: NodeJS.Signals | undefined;
  const dispose = onSignals((signal) => {
    received = signal;
    interrupted.reject(new Error(`interrupted by ${signal}`));
  });
  try {
    // It removes its own files in a dry run too.
    const privilege = createPrivilege({ dryRun: false, say: () => undefined });
    await using work = await makeWorkDirectory(purpose, privilege);
    const browser = await start(work.path);
    try {
      return await Promise.race([interrupted.promise, use(browser)]);
    } finally {
      await closeBrowser(browser);
    }
  } finally {
    dispose();
    if (received) process.kill(process.pid, received);
  }
}
