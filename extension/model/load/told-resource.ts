import type { Evidence, EvidenceDepth } from './evidence.ts';
import type { Use } from './join.ts';
import type { Resource } from './load.ts';
import type { Facts, Observation } from './observation.ts';

/** Whose word counts first where several tell the same fact: who is nearer to the network. */
const precedence: readonly EvidenceDepth[] = ['debugger', 'devtools', 'webRequest', 'page'];

/** The row of one use: each fact from the witness that knows it best, null where nobody told it. */
export function toldResource(
  use: Use,
  evidence: Evidence,
  loadStartedAtMs: number,
): Omit<Resource, 'sequence'> {
  const told = precedence.flatMap((depth) => use.told[depth] ?? []);
  const { url, startedAtMs } = use.first;
  const fact = <Name extends keyof Facts>(name: Name): NonNullable<Facts[Name]> | null =>
    told.map(({ facts }) => facts[name]).find((value) => value !== undefined && value !== null) ??
    null;
  const requestHeaders = fact('requestHeaders');
  const responseHeaders = fact('responseHeaders');
  const startMs = startedAtMs - loadStartedAtMs;
  const responseStartedAtMs = firstOf([use.first, ...told], 'responseStartedAtMs');
  const finalUrl = wordOf(told, 'finalUrl');
  const redirects = wordOf(told, 'redirects');
  return {
    url,
    ...(finalUrl !== undefined && finalUrl !== url ? { finalUrl } : {}),
    ...(redirects ? { redirects } : {}),
    method: fact('method'),
    status: fact('status'),
    type: fact('type') ?? 'other',
    mimeType: fact('mimeType'),
    initiatorType: fact('initiatorType'),
    context: contextOf(told),
    coding: fact('coding'),
    startMs,
    durationMs: spanFrom(startedAtMs, use.first.endedAtMs ?? firstOf(told, 'endedAtMs')),
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
