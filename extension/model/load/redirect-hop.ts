import type { Observation } from './observation.ts';

type Told = Extract<Observation, { witness: 'devtools' }>;

/** What a redirect leads to begins within so long of the redirect's end, ms. */
const reachMs = 250;

/**
 * DevTools tells each redirect of a request as an entry of its own. A hop is folded into the request that it led to,
 * which then stands at the URL that was asked for first, from the first start on, with the final response. A hop whose
 * next request was not told stays as it is.
 */
export function foldHops(observations: readonly Observation[]): Observation[] {
  const hops = observations
    .filter((each): each is Told => each.witness === 'devtools' && each.redirectsTo !== undefined)
    // The last hop first, so that a chain is folded from its end.
    .toSorted((one, other) => other.startedAtMs - one.startedAtMs);
  if (hops.length === 0) return [...observations];
  const told = new Map(observations.map((each) => [each.key, each]));
  for (const { key } of hops) {
    const hop = told.get(key);
    const next = hop && nextOf(hop, told);
    if (!next || hop.witness !== 'devtools') continue;
    told.delete(key);
    told.set(next.key, joined(hop, next));
  }
  return [...told.values()];
}

/** The nearest request at the place that the hop names; none when two are equally near. */
function nextOf(hop: Observation, told: ReadonlyMap<string, Observation>): Told | undefined {
  const endMs = hop.endedAtMs ?? hop.startedAtMs;
  const distance = ({ startedAtMs }: Observation): number => Math.abs(startedAtMs - endMs);
  const [first, second] = [...told.values()]
    .filter(
      (each): each is Told =>
        each.witness === 'devtools' &&
        each.key !== hop.key &&
        each.url === hop.redirectsTo &&
        each.startedAtMs >= hop.startedAtMs &&
        distance(each) <= reachMs,
    )
    .toSorted((one, other) => distance(one) - distance(other));
  return first && second && distance(first) === distance(second) ? undefined : first;
}

function joined(hop: Told, next: Told): Told {
  const { url, startedAtMs, facts, evidence } = hop;
  const { method } = facts;
  return {
    ...next,
    url,
    finalUrl: next.finalUrl ?? next.url,
    redirects: [{ url, status: evidence.status }, ...(next.redirects ?? [])],
    startedAtMs,
    facts: method === undefined ? next.facts : { ...next.facts, method },
  };
}
