import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from '@cachescope/model/attribution/answer.ts';
import type { Evidence } from '@cachescope/model/attribution/evidence.ts';
import type { Played } from './play.ts';

/** The evidence of each witness in one situation, and the truth. */
export interface Recorded {
  name: string;
  truth: Answer;
  evidence: Evidence;
}

const path = join(import.meta.dirname, 'recorded-evidence.ndjson');

/** The latest recording (`npm run bench -- record-evidence`), for tests without a browser. */
export function readRecordedEvidence(): Recorded[] {
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => whole(JSON.parse(line) as Recorded));
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
 * Writes the evidence of the runs: page, chrome.webRequest and DevTools from one, the debugger from another with the
 * same outcome. What a witness did not see is absent.
 */
export function recordEvidence(devtools: readonly Played[], debugged: readonly Played[]): void {
  const byName = new Map(debugged.map((played) => [played.situation.name, played]));
  const lines = devtools.flatMap(({ situation: { name }, outcome, resource }) => {
    const other = byName.get(name);
    const truth = outcome?.truth.answer;
    if (!truth || truth !== other?.outcome?.truth.answer || !(resource ?? other.resource))
      return [];
    const network = other.resource?.evidence.debugger;
    const evidence: Evidence = {
      ...resource?.evidence,
      ...(network === undefined ? {} : { debugger: network }),
    };
    return [JSON.stringify({ name, truth, evidence } satisfies Recorded, compact)];
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
}

/** Fields that no rule reads. */
const unread = new Set(['date', 'age', 'cacheControl', 'contentType', 'requestStart']);
/** Empty means absent in these. */
const emptyIsAbsent = new Set(['workerMatchedSourceType', 'workerFinalSourceType', 'workerStart']);

function compact(name: string, value: unknown): unknown {
  if (unread.has(name) || (name in flags && value === false)) return undefined;
  if (emptyIsAbsent.has(name) && !value) return undefined;
  return typeof value === 'number' ? Math.round(value * 10) / 10 : value;
}
