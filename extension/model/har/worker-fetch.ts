import { isShort } from './evidence.ts';
import type { HarEntry } from './schema.ts';

/**
 * For each response that a service worker fetched from the network: the status of its own fetch of the URL, which is in
 * a separate entry. Responses for which that entry or its status is ambiguous are left out.
 */
export function workerFetchStatuses(entries: readonly HarEntry[]): Map<HarEntry, number> {
  const statuses = new Map<HarEntry, number>();
  for (const sameUrl of Map.groupBy(entries, ({ request }) => request.url).values()) {
    const [page, ...otherPages] = sameUrl.filter(isFromWorker);
    if (!page || otherPages.length > 0) continue;
    const [fetched, ...otherFetches] = sameUrl.filter((entry) => isWithin(entry, page));
    if (!fetched || otherFetches.length > 0) continue;
    const { response } = fetched;
    // Without a body it may be a 304 of which DevTools had not heard.
    if (response.status === 304 || !isShort(response)) statuses.set(page, response.status);
  }
  return statuses;
}

function isFromWorker({ response }: HarEntry): boolean {
  return (
    response._fetchedViaServiceWorker === true &&
    response._serviceWorkerResponseSource === 'network'
  );
}

/** The worker's fetch begins after the page's request and before its end. */
function isWithin(entry: HarEntry, page: HarEntry): boolean {
  if (entry.response._fetchedViaServiceWorker || entry.response.status <= 0) return false;
  const sinceMs = Date.parse(entry.startedDateTime) - Date.parse(page.startedDateTime);
  return sinceMs >= 0 && sinceMs <= (page.time ?? 0);
}
