import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Load, LoadHead } from '@cachescope/model/load/load.ts';
import { hasSiteAccess, requestSiteAccess } from '../../loads/site-access.ts';
import {
  currentDepth,
  forget,
  listenToAnnouncements,
  loadHeads,
  loadHeadsOfTab,
  onLoadsChanged,
  readLoad,
  setDepth,
} from '../../loads/load-source.ts';

/** The extension's store of loads, and the watch on the inspected page. All methods may reject with an error. */
export interface LoadConnection {
  /** Whether a page is inspected; otherwise the panel is in a tab of its own. */
  isInspecting: boolean;
  /** Heads of all stored loads, newest first. */
  heads: () => Promise<LoadHead[]>;
  /** The id of the newest load of the inspected page; undefined when there is none. */
  newest: () => Promise<string | undefined>;
  /** null when it is no longer stored. */
  read: (id: string) => Promise<Load | null>;
  forget: (id: string) => Promise<void>;
  onChange: (listener: (ids: readonly string[]) => void) => void;
  /** null: the page is not watched. */
  depth: () => Promise<EvidenceDepth | null>;
  setDepth: (depth: EvidenceDepth | null) => Promise<void>;
  /** URL of the inspected page when only DevTools reports it, because its site was not granted; else null. */
  urlWithoutAccess: () => Promise<string | null>;
  /** Requests access to the site of `url`; must be called in a user gesture. */
  allowSite: (url: string) => Promise<boolean>;
}

/** The connection; null in a report, which is not part of the extension. */
export function loadConnection(): LoadConnection | null {
  if (!globalThis.chrome?.runtime?.id) return null;
  const tabId = globalThis.chrome.devtools?.inspectedWindow.tabId;
  listenToAnnouncements();
  return {
    isInspecting: tabId !== undefined,
    heads: loadHeads,
    newest: async () => (tabId === undefined ? undefined : (await loadHeadsOfTab(tabId))[0]?.id),
    read: readLoad,
    forget,
    onChange: onLoadsChanged,
    depth: async () => (tabId === undefined ? null : currentDepth(tabId)),
    setDepth: async (depth) => {
      if (tabId !== undefined) await setDepth(tabId, depth);
    },
    urlWithoutAccess: async () => {
      const url = tabId === undefined ? null : await inspectedUrl();
      return url !== null && /^https?:/.test(url) && !(await hasSiteAccess(url)) ? url : null;
    },
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
