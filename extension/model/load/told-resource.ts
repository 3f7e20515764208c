import { type Evidence, type EvidenceDepth, evidenceDepths } from '../attribution/evidence.ts';
import type { Resource } from './load.ts';
import type { Facts, Observation } from './observation.ts';
import type { Use } from './use.ts';

/** Precedence when several witnesses report the same fact: the one nearest to the network comes first. */
const precedence: readonly EvidenceDepth[] = ['debugger', 'devtools', 'webRequest', 'page'];

/** The row of one use: each fact from the witness that knows it best, null when unknown. */
export function toldResource(
  use: Use,
  evidence: Evidence,
  loadStartedAtMs: number,
): Omit<Resource, 'sequence'> {
  const told = precedence.flatMap((depth) => use.told[depth] ?? []);
  const { url } = use.first;
  // If the start is unknown, `startedAtMs` is the time of a later event: it gives no duration.
  const timed = [use.first, ...told].find(({ isStartUnknown }) => !isStartUnknown);
  const { startedAtMs } = timed ?? use.first;
  const fact = <Name extends keyof Facts>(name: Name): NonNullable<Facts[Name]> | null =>
    told.map(({ facts }) => facts[name]).find((value) => value !== undefined && value !== null) ??
    null;
  const requestHeaders = fact('requestHeaders');
  const responseHeaders = fact('responseHeaders');
  const initiator = fact('initiator');
  const priority = fact('priority');
  const startMs = startedAtMs - loadStartedAtMs;
  const responseStartedAtMs = firstOf([use.first, ...told], 'responseStartedAtMs');
  const finalUrl = wordOf(told, 'finalUrl');
  const redirects = wordOf(told, 'redirects');
  const unpaired = evidenceDepths.filter((depth) => use.doubtful.has(depth) && !use.told[depth]);
  return {
    url,
    ...(finalUrl !== undefined && finalUrl !== url ? { finalUrl } : {}),
    ...(redirects ? { redirects } : {}),
    method: fact('method'),
    status: fact('status'),
    type: fact('type') ?? 'other',
    mimeType: fact('mimeType'),
    initiatorType: fact('initiatorType'),
    ...(initiator ? { initiator } : {}),
    ...(priority === null ? {} : { priority }),
    context: contextOf(told),
    coding: fact('coding'),
    startMs,
    durationMs: timed ? spanFrom(startedAtMs, timed.endedAtMs ?? firstOf(told, 'endedAtMs')) : null,
    responseStartMs:
      responseStartedAtMs === null
        ? null
        : Math.max(startMs, responseStartedAtMs - loadStartedAtMs),
    transferredBytes: fact('transferredBytes'),
    encodedBytes: fact('encodedBytes'),
    decodedBytes: fact('decodedBytes'),
    storedBytes: null,
    ...(requestHeaders ? { requestHeaders } : {}),
    ...(responseHeaders ? { responseHeaders } : {}),
    isPreload: told.some(({ facts }) => facts.isPreload === true),
    ...(unpaired.length > 0 ? { unpaired } : {}),
    evidence,
  };
}

function contextOf(told: readonly Observation[]): Resource['context'] {
  return told.find(({ context }) => context !== 'unknown')?.context ?? 'unknown';
}

function wordOf<Name extends 'finalUrl' | 'redirects'>(
  told: readonly Observation[],
  name: Name,
): Observation[Name] {
  return told.map((each) => each[name]).find((value) => value !== undefined);
}

function firstOf(
  told: readonly Observation[],
  name: 'endedAtMs' | 'responseStartedAtMs',
): number | null {
  return told.map((each) => each[name]).find((value) => typeof value === 'number') ?? null;
}

function spanFrom(startMs: number, endMs: number | null): number | null {
  return endMs === null ? null : Math.max(0, endMs - startMs);
}
