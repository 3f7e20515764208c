import { least } from '../extremes.ts';
import type { ObservedDocument } from './observation.ts';

/** Witnesses' clocks differ: a load's own request may seem to begin up to this long before the load, ms. */
export const slackMs = 15;
/** A busy browser reports an event at most this long after it happened, ms. */
export const lateMs = 10_000;
/** The protocol reports a restored document without a time; its event comes within this time of the restore, ms. */
export const restoreReachMs = 2000;

/**
 * Start of the tab's next load after this one, including forgotten loads; Infinity for the last load. Wall clock, ms.
 */
export function endOfLoad(
  { startedAtMs }: ObservedDocument,
  siblings: readonly ObservedDocument[],
): number {
  return least(siblings.map((each) => each.startedAtMs).filter((start) => start > startedAtMs));
}
