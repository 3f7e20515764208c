import type { Observation } from './observation.ts';

/** A frame's time origin and its parent's entry of it begin within so long of each other, ms. */
const reachMs = 250;
/** Resource Timing's initiatorType of the parent's entry. */
const frameTypes: ReadonlySet<string> = new Set(['iframe', 'frame']);

/** A frame's document tells of itself; the entry of its parent is the same use once more, and says less. */
export function withoutParents(observations: readonly Observation[]): Observation[] {
  const own = Map.groupBy(
    observations.filter(
      ({ witness, context, facts }) =>
        witness === 'page' && context === 'frame' && facts.initiatorType === 'navigation',
    ),
    ({ url }) => url,
  );
  return observations.filter(({ witness, url, facts, startedAtMs }) => {
    if (witness !== 'page' || !frameTypes.has(facts.initiatorType ?? '')) return true;
    const isSame = (each: Observation) => Math.abs(each.startedAtMs - startedAtMs) < reachMs;
    return own.get(url)?.some(isSame) !== true;
  });
}
