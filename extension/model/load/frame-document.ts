import type { Observation } from './observation.ts';

/** Page clocks of two documents, and an end that is not known yet, may place an entry this far outside, ms. */
const reachMs = 250;
/** Resource Timing's initiatorType of the parent's entry. */
export const frameTypes: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object']);

/**
 * Removes the parent's entry of a frame that reports its own document: it is the same use with less information. The
 * two overlap, but need not begin together: Chromium's entry of the parent begins with the request, which a busy
 * browser makes long after the navigation started.
 */
export function withoutParents(observations: readonly Observation[]): Observation[] {
  const own = Map.groupBy(
    observations.filter(
      ({ witness, context, facts }) =>
        witness === 'page' && context === 'frame' && facts.initiatorType === 'navigation',
    ),
    ({ url }) => url,
  );
  // The parent's entry names the URL that was asked for, and the document's own the one that redirects led to.
  const finals = Map.groupBy(
    observations.filter(({ finalUrl }) => finalUrl !== undefined),
    ({ url }) => url,
  );
  return observations.filter((entry) => {
    if (entry.witness !== 'page' || !frameTypes.has(entry.facts.initiatorType ?? '')) return true;
    const urls = [
      entry.url,
      ...(finals.get(entry.url) ?? []).flatMap(({ finalUrl = [] }) => finalUrl),
    ];
    const documents = urls.flatMap((url) => own.get(url) ?? []);
    return !documents.some((document) => overlap(entry, document));
  });
}

function overlap(one: Observation, other: Observation): boolean {
  return one.startedAtMs < endOf(other) + reachMs && other.startedAtMs < endOf(one) + reachMs;
}

function endOf({ startedAtMs, endedAtMs }: Observation): number {
  return endedAtMs ?? startedAtMs;
}

/**
 * Names the document of a frame's early requests. chrome.webRequest looks up the frame's document when a request begins,
 * and a busy browser has not learned of the new document by then: it names the one before, which reported no use. Where
 * the frame had one document that did, that is the requesting one.
 */
export function nameFrameDocuments(observations: readonly Observation[]): Observation[] {
  const reported = observations.filter(
    ({ witness, documentId, frameId = 0 }) => witness === 'page' && documentId && frameId > 0,
  );
  const documents = new Set(reported.map(({ documentId }) => documentId));
  const byFrame = Map.groupBy(reported, ({ frameId }) => frameId);
  return observations.map((each) => {
    const { witness, documentId, frameId = 0 } = each;
    if (witness !== 'webRequest' || frameId === 0 || documents.has(documentId)) return each;
    const own = new Set(byFrame.get(frameId)?.map((use) => use.documentId));
    const [only] = own;
    return own.size === 1 && only !== undefined ? { ...each, documentId: only } : each;
  });
}
