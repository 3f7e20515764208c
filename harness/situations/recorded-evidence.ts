import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '@cachescope/model/attribution/answer.ts';
import type { Evidence } from '@cachescope/model/attribution/evidence.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import type { Played } from './play.ts';
import type { WatchingName } from './watching.ts';

/** The evidence of the witnesses in one situation, watched in one way, and the truth. */
export interface Recorded {
  name: string;
  watching: WatchingName;
  truth: Answer;
  evidence: Evidence;
}

/** A line of the file: a situation, and what was recorded in each way to watch. */
interface Line {
  name: string;
  seen: Partial<Record<WatchingName, Pick<Recorded, 'truth' | 'evidence'>>>;
}

const path = join(import.meta.dirname, 'recorded-evidence.ndjson');

/** The latest recording (`npm run bench -- record-evidence`), for tests without a browser. */
export function readRecordedEvidence(): Recorded[] {
  return readLines().flatMap(({ name, seen }) =>
    (Object.keys(seen) as WatchingName[]).flatMap((watching) => {
      const recorded = seen[watching];
      return recorded ? [whole({ name, watching, ...recorded })] : [];
    }),
  );
}

function readLines(): Line[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Flags that are mostly false: not written then. */
const flags = {
  requestServedFromCache: false,
  fromDiskCache: false,
  fromPrefetchCache: false,
  fromServiceWorker: false,
  fromEarlyHints: false,
};

function whole(recorded: Recorded): Recorded {
  const { evidence } = recorded;
  if (!evidence.debugger) return recorded;
  return { ...recorded, evidence: { ...evidence, debugger: { ...flags, ...evidence.debugger } } };
}

/**
 * Writes the evidence of every situation that came about, in each way to watch that saw it. Situations that were not
 * played keep their line, and those that are no more lose it.
 */
export function recordEvidence(plays: ReadonlyMap<WatchingName, readonly Played[]>): void {
  const byName = Map.groupBy([...plays.values()].flat(), ({ situation }) => situation.name);
  const known = new Map(readLines().map((line) => [line.name, line]));
  const lines = situations.flatMap(({ name }) => {
    const played = byName.get(name);
    const seen = played ? seenIn(played) : known.get(name)?.seen;
    return seen && Object.keys(seen).length > 0 ? [JSON.stringify({ name, seen }, compact)] : [];
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** Where the origin's log leaves it open which answer is true, the evidence proves nothing. */
function seenIn(played: readonly Played[]): Line['seen'] {
  const entries = played.flatMap(({ watching, outcome, resource }) => {
    if (!outcome || !resource || outcome.orAnswer !== undefined) return [];
    return [[watching, { truth: outcome.truth.answer, evidence: resource.evidence }]];
  });
  return Object.fromEntries(entries) as Line['seen'];
}

/** Fields that no rule reads. */
const unread = new Set([
  'date',
  'age',
  'cacheControl',
  'contentType',
  'requestStart',
  'redirectStart',
]);
/** Empty means absent in these. */
const emptyIsAbsent = new Set(['workerMatchedSourceType', 'workerFinalSourceType', 'workerStart']);

function compact(name: string, value: unknown): unknown {
  if (unread.has(name) || (name in flags && value === false)) return undefined;
  if (emptyIsAbsent.has(name) && !value) return undefined;
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value;
}
