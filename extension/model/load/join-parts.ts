import type { Observation, ObservedDocument } from './observation.ts';

/** Witnesses' clocks differ: a load's own request may seem to begin this much before its start, ms. */
export const slackMs = 15;
/** A busy browser tells of what was so long after it, at most, ms. */
export const lateMs = 10_000;
/** The protocol tells of a restored document without saying when; its event comes within so long, ms. */
export const restoreReachMs = 2000;

/** Start of a tab's next load after this one, forgotten ones too; Infinity for the last. Wall clock, ms. */
export function endOfLoad(
  { startedAtMs }: ObservedDocument,
  siblings: readonly ObservedDocument[],
): number {
  const later = siblings.map((each) => each.startedAtMs).filter((start) => start > startedAtMs);
  return later.reduce((first, start) => Math.min(first, start), Number.POSITIVE_INFINITY);
}

/**
 * The observations of a tab that belong to one of its loads: those of its document, and, where no document was told,
 * those of its time. `siblings` are all loads of the tab, this one and forgotten ones too: what belongs to those is
 * nobody else's.
 */
export function ownObservations(
  document: ObservedDocument,
  siblings: readonly ObservedDocument[],
  observations: readonly Observation[],
): Observation[] {
  const fromMs = document.startedAtMs - slackMs;
  const toMs = endOfLoad(document, siblings) - slackMs;
  const owners = new Set(siblings.map(({ documentId }) => documentId));
  // A restored document has had loads before: time tells them apart.
  const isShared =
    siblings.filter(({ documentId }) => documentId === document.documentId).length > 1;
  const isInTime = (time: number): boolean => fromMs <= time && time < toMs;
  const isOwn = ({ documentId, startedAtMs: time }: Observation): boolean => {
    if (documentId === undefined || !owners.has(documentId)) return isInTime(time);
    if (documentId !== document.documentId) return false;
    return isShared ? isInTime(time) : true;
  };
  const restores = siblings.filter(({ navigationType }) => navigationType === 'back-forward-cache');
  return observations.flatMap((each) => {
    const restored = isToldRestore(each) ? nearest(restores, each.startedAtMs) : undefined;
    if (!restored) return isOwn(each) ? [each] : [];
    const { startedAtMs } = restored;
    return restored.id === document.id ? [{ ...each, startedAtMs, endedAtMs: startedAtMs }] : [];
  });
}

/** The protocol's event has no time of its own: it stands for the restore that the page tells of. */
function isToldRestore({ witness, evidence }: Observation): boolean {
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
