import { type Evidence, type EvidenceDepth, evidenceDepths } from '../attribution/evidence.ts';
import { knownFields } from '../known-fields.ts';
import type { Resource } from './load.ts';
import type { Facts, Observation } from './observation.ts';
import type { Use } from './use.ts';
import { isShared } from './use-span.ts';

/** Precedence when several witnesses report the same fact: the one nearest to the network comes first. */
const precedence: readonly EvidenceDepth[] = ['debugger', 'devtools', 'webRequest', 'page'];

/** The row of one use: each fact from the witness that knows it best, null when unknown. */
export function resourceOfUse(
  use: Use,
  evidence: Evidence,
  loadStartedAtMs: number,
): Omit<Resource, 'sequence'> {
  const observations = precedence.flatMap((depth) => use.byWitness[depth] ?? []);
  const { url } = use.first;
  // If the start is unknown, `startedAtMs` is the time of a later event: it gives no duration.
  const timed = [use.first, ...observations].find(
    (each) => !each.isStartUnknown && !isShared(each),
  );
  const { startedAtMs } = timed ?? use.first;
  const fact = <Name extends keyof Facts>(name: Name): NonNullable<Facts[Name]> | null =>
    observations
      .map(({ facts }) => facts[name])
      .find((value) => value !== undefined && value !== null) ?? null;
  const startMs = startedAtMs - loadStartedAtMs;
  const endedAtMs = timed ? (timed.endedAtMs ?? firstOf(observations, 'endedAtMs')) : null;
  const respondedAtMs = firstOf([use.first, ...observations], 'responseStartedAtMs');
  const finalUrl = wordOf(observations, 'finalUrl');
  const unpaired = evidenceDepths.filter(
    (depth) => use.doubtful.has(depth) && !use.byWitness[depth],
  );
  return {
    url,
    ...knownFields({
      finalUrl: finalUrl === url ? null : finalUrl,
      redirects: wordOf(observations, 'redirects'),
      initiator: fact('initiator'),
      priority: fact('priority'),
      requestHeaders: fact('requestHeaders'),
      responseHeaders: fact('responseHeaders'),
      unpaired: unpaired.length > 0 ? unpaired : null,
    }),
    method: fact('method'),
    status: fact('status'),
    type: fact('type') ?? 'other',
    mimeType: fact('mimeType'),
    initiatorType: fact('initiatorType'),
    context: contextOf(observations),
    // The page names what was decoded. A 304 may name another coding, to all other witnesses.
    coding: use.byWitness.page?.facts.coding ?? fact('coding'),
    startMs,
    durationMs: endedAtMs === null ? null : Math.max(0, endedAtMs - startedAtMs),
    responseStartMs:
      respondedAtMs === null ? null : Math.max(startMs, respondedAtMs - loadStartedAtMs),
    transferredBytes: fact('transferredBytes'),
    encodedBytes: fact('encodedBytes'),
    decodedBytes: fact('decodedBytes'),
    storedBytes: null,
    isPreload: observations.some(({ facts }) => facts.isPreload === true),
    evidence,
  };
}

function contextOf(observations: readonly Observation[]): Resource['context'] {
  return observations.find(({ context }) => context !== 'unknown')?.context ?? 'unknown';
}

function wordOf<Name extends 'finalUrl' | 'redirects'>(
  observations: readonly Observation[],
  name: Name,
): Observation[Name] {
  return observations.map((each) => each[name]).find((value) => value !== undefined);
}

function firstOf(
  observations: readonly Observation[],
  name: 'endedAtMs' | 'responseStartedAtMs',
): number | null {
  return observations.map((each) => each[name]).find((value) => typeof value === 'number') ?? null;
}
