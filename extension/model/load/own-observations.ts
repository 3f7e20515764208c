import { timesByOrder } from './document-before.ts';
import { endOfLoad, restoreReachMs, slackMs } from './load-span.ts';
import type { Observation, ObservedDocument } from './observation.ts';

/**
 * The observations of a tab that belong to one of its loads: those of its document and, if they name no known document,
 * those within its time. `siblings` are all loads of the tab, including this one and forgotten ones: observations of a
 * sibling belong to no other load.
 */
export function ownObservations(
  document: ObservedDocument,
  siblings: readonly ObservedDocument[],
  observations: readonly Observation[],
): Observation[] {
  const fromMs = document.startedAtMs - slackMs;
  const owners = new Set(siblings.map(({ documentId }) => documentId));
  // A restored document had earlier loads: only time separates them.
  const ofDocument = siblings.filter(({ documentId }) => documentId === document.documentId);
  const isInTime = (time: number, others = siblings): boolean =>
    fromMs <= time && time < endOfLoad(document, others) - slackMs;
  const timeOf = timesByOrder(siblings, observations);
  const isOwn = (each: Observation): boolean => {
    const { documentId } = each;
    const time = timeOf(each);
    if (documentId === undefined || !owners.has(documentId)) return isInTime(time);
    if (documentId !== document.documentId) return false;
    return ofDocument.length > 1 ? isInTime(time, ofDocument) : true;
  };
  const restores = siblings.filter(({ navigationType }) => navigationType === 'back-forward-cache');
  return observations.flatMap((each) => {
    const restored = isReportedRestore(each) ? nearest(restores, each.startedAtMs) : undefined;
    if (!restored) return isOwn(each) ? [each] : [];
    const { startedAtMs } = restored;
    return restored.id === document.id ? [{ ...each, startedAtMs, endedAtMs: startedAtMs }] : [];
  });
}

/** The protocol's event has no time of its own: it is given the time of the restore that the page reported. */
function isReportedRestore({ witness, evidence }: Observation): boolean {
  return witness === 'debugger' && evidence?.isBackForwardRestore === true;
}

function nearest(
  restores: readonly ObservedDocument[],
  timeMs: number,
): ObservedDocument | undefined {
  const distance = ({ startedAtMs }: ObservedDocument): number => Math.abs(startedAtMs - timeMs);
  const [first] = restores.toSorted((one, other) => distance(one) - distance(other));
  return first && distance(first) <= restoreReachMs ? first : undefined;
}
