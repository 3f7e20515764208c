import type { DevtoolsObservation, Observation } from './observation.ts';

/**
 * Removes requests that are not uses by the page. Chromium looks up a font in its cache before it requests it, and
 * chrome.webRequest reports that lookup. It also reports, as type other, that Chromium looks in the cache for the text
 * of a restored document that DevTools shows (Blink's `InspectorResourceContentLoader`). DevTools lists a failed frame a second time, for the error page that replaces it.
 */
export function withoutBrowserRequests(observations: readonly Observation[]): Observation[] {
  const failed = Map.groupBy(observations.filter(isFailedFrame), ({ url }) => url);
  return observations.filter((each) => !isLookup(each) && !isErrorPage(each, failed));
}

/** A page's own `fetch` with `only-if-cached` fails in the same way, but is of type xhr. */
function isLookup({ witness, evidence, facts: { type } }: Observation): boolean {
  return (
    witness === 'webRequest' &&
    (type === 'font' || type === 'other') &&
    evidence?.error === 'net::ERR_CACHE_MISS'
  );
}

function isErrorPage(
  each: Observation,
  failed: ReadonlyMap<string, DevtoolsObservation[]>,
): boolean {
  if (!isFailedFrame(each)) return false;
  const endMs = ({ endedAtMs }: Observation): number => endedAtMs ?? Number.POSITIVE_INFINITY;
  return failed.get(each.url)?.some((other) => endMs(other) < endMs(each)) === true;
}

function isFailedFrame(each: Observation): each is DevtoolsObservation {
  return (
    each.witness === 'devtools' &&
    each.facts.type === 'document' &&
    each.evidence.error !== undefined
  );
}
