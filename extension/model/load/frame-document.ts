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
  return observations.filter((entry) => {
    if (entry.witness !== 'page' || !frameTypes.has(entry.facts.initiatorType ?? '')) return true;
    return own.get(entry.url)?.some((document) => overlap(entry, document)) !== true;
  });
}

function overlap(one: Observation, other: Observation): boolean {
  return one.startedAtMs < endOf(other) + reachMs && other.startedAtMs < endOf(one) + reachMs;
}

function endOf({ startedAtMs, endedAtMs }: Observation): number {
  return endedAtMs ?? startedAtMs;
}
