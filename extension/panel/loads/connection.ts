import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import { hasSiteAccess, requestSiteAccess } from '../../loads/site-access.ts';
import {
  blockUrls,
  clearBrowserCache,
  currentDepth,
  forget,
  listenToAnnouncements,
  loadHeads,
  newestOfTab,
  onLoadsChanged,
  readLoad,
  setDepth,
} from '../../loads/load-source.ts';

/** The extension's store of loads, and the watch on the inspected page. All methods may reject with an error. */
export type LoadConnection = NonNullable<ReturnType<typeof loadConnection>>;

/** The connection; null in a report, which is not part of the extension. */
export function loadConnection() {
  if (!globalThis.chrome?.runtime?.id) return null;
  const tabId = globalThis.chrome.devtools?.inspectedWindow.tabId;
  listenToAnnouncements();
  return {
    /** Whether a page is inspected; otherwise the panel is in a tab of its own. */
    isInspecting: tabId !== undefined,
    /** Heads of all stored loads, newest first. */
    heads: loadHeads,
    /** The id of the newest load of the inspected page; undefined when there is none. */
    newest: async () => (tabId === undefined ? undefined : newestOfTab(tabId)),
    /** null when it is no longer stored. */
    read: readLoad,
    forget,
    onChange: onLoadsChanged,
    /** null: the page is not watched. */
    depth: async () => (tabId === undefined ? null : currentDepth(tabId)),
    setDepth: async (depth: EvidenceDepth | null) => {
      if (tabId !== undefined) await setDepth(tabId, depth);
    },
    clearBrowserCache: async () => {
      if (tabId !== undefined) await clearBrowserCache(tabId);
    },
    blockUrls: async (urls: readonly string[]) => {
      if (tabId !== undefined) await blockUrls(tabId, urls);
    },
    /** URL of the inspected page when only DevTools reports it, because its site was not granted; else null. */
    urlWithoutAccess: async () => {
      const url = tabId === undefined ? null : await inspectedUrl();
      return url !== null && /^https?:/.test(url) && !(await hasSiteAccess(url)) ? url : null;
    },
    /** Requests access to the site of `url`; must be called in a user gesture. */
    allowSite: requestSiteAccess,
  };
}

function inspectedUrl(): Promise<string | null> {
  return new Promise((resolve) => {
    globalThis.chrome.devtools.inspectedWindow.eval('location.href', {}, (url: unknown) =>
      resolve(typeof url === 'string' ? url : null),
    );
  });
}
