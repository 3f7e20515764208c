/// <reference types="chrome-types" />

/** Sites that the manifest's own content scripts cover. */
const loopback = /^https?:\/\/(127\.0\.0\.1|localhost)(:\d+)?\//;

/** Permissions that the user grants for one site. Without them, only an open DevTools sees a page of that site. */
function needsOf(url: string): chrome.permissions.Permissions {
  return { permissions: ['scripting'], origins: [`${new URL(url).origin}/*`] };
}

/** Whether our content scripts run in pages like this one, and chrome.webRequest reports their requests. */
export async function hasSiteAccess(url: string): Promise<boolean> {
  if (loopback.test(url)) return true;
  return /^https?:/.test(url) && chrome.permissions.contains(needsOf(url));
}

/** Asks the user for access to the site of `url`; call it on a click. Returns whether it was granted. */
export function requestSiteAccess(url: string): Promise<boolean> {
  return chrome.permissions.request(needsOf(url));
}

/**
 * Keeps our content scripts registered for all granted sites, from their next document on, and not for revoked ones.
 * Chromium keeps the grants and drops the scripts when the extension is updated or reloaded
 * (developer.chrome.com/docs/extensions/reference/api/scripting).
 */
export function followSiteAccess(): void {
  let covered = Promise.resolve();
  // One after another: two at once would register the same scripts twice, which Chromium refuses.
  const cover = () => void (covered = covered.then(coverGrantedSites, coverGrantedSites));
  chrome.permissions.onAdded.addListener(cover);
  chrome.permissions.onRemoved.addListener(cover);
  chrome.runtime.onInstalled.addListener(cover);
}

async function coverGrantedSites(): Promise<void> {
  if (chrome.scripting === undefined) return;
  const { origins = [] } = await chrome.permissions.getAll();
  const matches = origins.filter((origin) => !loopback.test(origin));
  const registered = await chrome.scripting.getRegisteredContentScripts();
  await chrome.scripting.unregisterContentScripts({ ids: registered.map(({ id }) => id) });
  if (matches.length === 0) return;
  const everywhere = {
    matches,
    allFrames: true,
    matchOriginAsFallback: true,
    runAt: 'document_start',
  } as const;
  await chrome.scripting.registerContentScripts([
    { ...everywhere, id: 'main-world', js: ['main-world.js'], world: 'MAIN' },
    { ...everywhere, id: 'isolated-world', js: ['isolated-world.js'], world: 'ISOLATED' },
  ]);
}
