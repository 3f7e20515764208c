import type { Browser, CDPSession } from 'puppeteer-core';
import { CachescopeError } from '../error.ts';

/** A target of the DevTools protocol that is visible to the user. */
export interface Tab {
  targetId: string;
  url: string;
}

/** A session with the browser itself. Puppeteer attaches to no page, so access to pages goes through this session. */
export function browserSession(browser: Browser): Promise<CDPSession> {
  return browser.target().createCDPSession();
}

/** True for a window of DevTools. */
export function isDevTools({ url }: { url: string }): boolean {
  return url.startsWith('devtools://');
}

/** The open tabs, without DevTools' own windows. */
export async function openTabs(root: CDPSession): Promise<Tab[]> {
  const { targetInfos } = await root.send('Target.getTargets');
  return targetInfos.filter((info) => info.type === 'page' && !isDevTools(info));
}

/** A session with one target. While it is open the target is slower. */
export interface Attached {
  session: CDPSession;
  detach: () => Promise<void>;
}

/** Attaches to one target. */
export async function attachToTarget(root: CDPSession, targetId: string): Promise<Attached> {
  const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
  const session = root.connection()?.session(sessionId);
  if (!session)
    throw new CachescopeError('CS_BROWSER_PAGE', `Chromium gave no session for ${targetId}`);
  return {
    session,
    detach: () => root.send('Target.detachFromTarget', { sessionId }),
  };
}

/** Attaches to a target while `work` runs. */
export async function withTarget<Result>(
  root: CDPSession,
  targetId: string,
  work: (session: CDPSession) => Promise<Result>,
): Promise<Result> {
  const { session, detach } = await attachToTarget(root, targetId);
  try {
    return await work(session);
  } finally {
    // The session of a target that is gone is closed already.
    await detach().catch(() => undefined);
  }
}
