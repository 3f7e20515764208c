import { isAborted } from '../attribution/failure.ts';
import type { DevtoolsObservation, Observation } from './observation.ts';

/** The next request after a redirect begins within this time of the redirect's end, ms. */
const reachMs = 250;

/**
 * DevTools lists each redirect of a request as a separate entry. A hop is merged into the request that it led to: the
 * merged entry has the URL and start of the first request and the final response. A hop whose next request is unknown
 * stays unchanged. A redirect that fetch() handed to its caller (redirect mode `manual`) is itself the response: DevTools
 * lists the request for its target as given up, although that was never sent.
 */
export function foldHops(observations: readonly Observation[]): Observation[] {
  const hops = observations
    .filter((each) => each.witness === 'devtools' && each.redirectsTo !== undefined)
    // The last hop first, so that a chain is merged from its end.
    .toSorted((one, other) => other.startedAtMs - one.startedAtMs);
  if (hops.length === 0) return [...observations];
  const observed = new Map(observations.map((each) => [each.key, each]));
  for (const { key } of hops) {
    const hop = observed.get(key);
    const next = hop && nextOf(hop, observed);
    if (!next || hop.witness !== 'devtools') continue;
    if (wasNeverSent(next)) {
      const { redirectsTo: _target, ...response } = hop;
      observed.delete(next.key);
      observed.set(key, { ...response, evidence: { ...hop.evidence, isHanded: true } });
    } else {
      observed.delete(key);
      observed.set(next.key, joined(hop, next));
    }
  }
  return [...observed.values()];
}

/** The nearest request for the hop's target URL; none when two are equally near. */
function nextOf(
  hop: Observation,
  observed: ReadonlyMap<string, Observation>,
): DevtoolsObservation | undefined {
  const endMs = hop.endedAtMs ?? hop.startedAtMs;
  const distance = ({ startedAtMs }: Observation): number => Math.abs(startedAtMs - endMs);
  const [first, second] = [...observed.values()]
    .filter((each) => each.witness === 'devtools')
    .filter(
      (each) =>
        each.key !== hop.key &&
        each.url === hop.redirectsTo &&
        each.startedAtMs >= hop.startedAtMs &&
        distance(each) <= reachMs,
    )
    .toSorted((one, other) => distance(one) - distance(other));
  return first && second && distance(first) === distance(second) ? undefined : first;
}

/** DevTools knows the fields that the network adds to a request only of those that were sent. */
function wasNeverSent({ evidence, facts }: DevtoolsObservation): boolean {
  if (facts.type !== 'fetch') return false;
  const fields = facts.requestHeaders ?? [];
  const isSent = fields.some(([name]) => /^(host|:authority)$/i.test(name));
  return evidence.status === 0 && isAborted(evidence.error) && !isSent;
}

function joined(hop: DevtoolsObservation, next: DevtoolsObservation): DevtoolsObservation {
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
