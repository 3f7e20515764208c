import type { DevtoolsObservation, Observation } from './observation.ts';

/**
 * Removes requests that are not uses by the page. Chromium looks up a font in its cache before it requests it, and
 * chrome.webRequest reports that lookup. It also reports, as type other, that Chromium looks in the cache for the text
 * of a restored document that DevTools shows (Blink's `InspectorResourceContentLoader`). DevTools lists a failed frame a
 * second time, for the error page that replaces it.
 */
export function withoutBrowserRequests(observations: readonly Observation[]): Observation[] {
  const pages = errorPages(observations);
  return observations.filter((each) => !isLookup(each) && !pages.has(each));
}

/** A page's own `fetch` with `only-if-cached` fails in the same way, but is of type xhr. */
function isLookup({ witness, evidence, facts: { type } }: Observation): boolean {
  return (
    witness === 'webRequest' &&
    (type === 'font' || type === 'other') &&
    evidence?.error === 'net::ERR_CACHE_MISS'
  );
}

/**
 * The entry of an error page has the start of the frame's own and counts the bytes of the error page as transferred, about
 * 250,000 (Chromium 156). Frames of one URL that fail one after another differ in their start.
 */
function errorPages(observations: readonly Observation[]): ReadonlySet<Observation> {
  const starts = Map.groupBy(
    observations.filter(isFailedFrame),
    ({ url, startedAtMs }) => `${startedAtMs} ${url}`,
  );
  return new Set(
    [...starts.values()].flatMap((entries) => {
      const leastBytes = Math.min(...entries.map(transferredBytes));
      return entries.filter((each) => transferredBytes(each) > leastBytes);
    }),
  );
}

function transferredBytes({ evidence }: DevtoolsObservation): number {
  return evidence.transferSize ?? 0;
}

function isFailedFrame(each: Observation): each is DevtoolsObservation {
  return (
    each.witness === 'devtools' &&
    each.facts.type === 'document' &&
    each.evidence?.error !== undefined
  );
}
