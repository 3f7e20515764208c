import type { Observation } from './observation.ts';

/** A frame's time origin is within its parent's entry of the frame, or at most this far outside, ms. */
const reachMs = 250;
/** Resource Timing's initiatorType of the parent's entry. */
export const frameTypes: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object']);

/** Removes the parent's entry of a frame that reports its own document: it is the same use with less information. */
export function withoutParents(observations: readonly Observation[]): Observation[] {
  const own = Map.groupBy(
    observations.filter(
      ({ witness, context, facts }) =>
        witness === 'page' && context === 'frame' && facts.initiatorType === 'navigation',
    ),
    ({ url }) => url,
  );
  return observations.filter(({ witness, url, facts, startedAtMs, endedAtMs }) => {
    if (witness !== 'page' || !frameTypes.has(facts.initiatorType ?? '')) return true;
    const isSame = ({ startedAtMs: originMs }: Observation): boolean =>
      startedAtMs - reachMs < originMs && originMs < (endedAtMs ?? startedAtMs) + reachMs;
    return own.get(url)?.some(isSame) !== true;
  });
}
