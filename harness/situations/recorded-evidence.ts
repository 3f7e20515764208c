import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Answer } from '@cachescope/model/attribution/answer.ts';
import type { Evidence } from '@cachescope/model/attribution/evidence.ts';
import { situations } from '@cachescope/origin/situations/situations.ts';
import type { Played } from './play.ts';
import { type WatchingName, watchingNames } from './watching.ts';

/** The evidence of the witnesses in one situation, watched in one way, and the truth. */
export interface Recorded {
  name: string;
  watching: WatchingName;
  truth: Answer;
  evidence: Evidence;
}

/** A line of a file: a situation, as it was seen in one way to watch. */
type Line = Pick<Recorded, 'name' | 'truth' | 'evidence'>;

/** One file for each way to watch, compressed: half a megabyte of lines that are much alike. */
const pathOf = (watching: WatchingName) =>
  join(import.meta.dirname, 'recorded-evidence', `${watching}.ndjson.gz`);

/** The latest recording (`npm run bench -- record-evidence`), for tests without a browser. */
export function readRecordedEvidence(): Recorded[] {
  return watchingNames.flatMap((watching) =>
    readLines(watching).map((line) => whole({ ...line, watching })),
  );
}

/** Empty for a way that was never recorded. */
function readLines(watching: WatchingName): Line[] {
  if (!existsSync(pathOf(watching))) return [];
  const lines = gunzipSync(readFileSync(pathOf(watching)))
    .toString()
    .trim()
    .split('\n');
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
  for (const [watching, played] of plays) {
    const known = new Map(readLines(watching).map((line) => [line.name, line]));
    const byName = Map.groupBy(played, ({ situation }) => situation.name);
    const lines = situations.flatMap(({ name }) => {
      const own = byName.get(name);
      const line = own ? lineOf(name, own) : known.get(name);
      return line ? [JSON.stringify(line, compact)] : [];
    });
    writeFileSync(pathOf(watching), gzipSync(`${lines.join('\n')}\n`, { level: 9 }));
  }
}

/** Where the origin's log leaves it open which answer is true, the evidence proves nothing. */
function lineOf(name: string, played: readonly Played[]): Line | undefined {
  const found = played.findLast(({ outcome, resource }) => outcome && resource);
  if (!found?.outcome || !found.resource || found.outcome.orAnswer !== undefined) return undefined;
  return { name, truth: found.outcome.truth.answer, evidence: found.resource.evidence };
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
