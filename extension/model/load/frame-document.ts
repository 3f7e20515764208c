import type { Observation } from './observation.ts';

/** A frame's time origin lies within its parent's entry of it, or so far from it at most, ms. */
const reachMs = 250;
/** Resource Timing's initiatorType of the parent's entry. */
export const frameTypes: ReadonlySet<string> = new Set(['iframe', 'frame', 'embed', 'object']);

/** A frame's document tells of itself; the entry of its parent is the same use once more, and says less. */
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
