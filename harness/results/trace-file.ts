import { gunzipSync, gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { traceEventsOf } from '@cachescope/model/explain/trace-events.ts';
import { type TracedRead, tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import { readForeignFile } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { mostTraceBytes } from '../trace/kept-trace.ts';
import { isTraceEvent } from '../trace/trace-event.ts';
import { writeOutput } from './output-file.ts';

/** What became of a trace file. */
export interface WrittenTrace {
  reads: number;
  events: number;
  /** What a reader of the trace must know, in sentences. */
  warnings: string[];
}

/**
 * Writes all traced reads of a run to one file in the Trace Event Format, gzipped where its name ends with `.gz`: Chromium's own
 * events and ours, on Chromium's clock.
 *
 * @param directory of the run: it holds Chromium's traces.
 * @throws CachescopeError CS_NO_TRACES, exit code 2.
 */
export function writeTrace(path: string, directory: string, document: RunDocument): WrittenTrace {
  const traced = isRunOf('sweep', document) ? (document.traced ?? []) : [];
  if (traced.length === 0)
    throw new CachescopeError('CS_NO_TRACES', `${directory} has no traced reads`, {
      hint: 'Take them: npm run sweep -- --trace',
    });
  const warnings: string[] = [];
  const begins = beginsOf(traced, warnings);
  const events = traced.flatMap((read, index) => [
    ...chromiumEvents(directory, read, warnings),
    ...traceEventsOf(read, index, begins[index] ?? 0),
  ]);
  // One event a line, as Chromium writes it.
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  const { environment, startedAt, tool } = document.run;
  const metadata = {
    'clock-domain': 'LINUX_CLOCK_MONOTONIC',
    'product-version': environment.chromium.version,
    cachescope: { version: tool.version, startedAt },
  };
  const text = `{"traceEvents":[\n${lines}\n],"displayTimeUnit":"ms","metadata":${JSON.stringify(metadata)}}\n`;
  writeOutput(path, path.endsWith('.gz') ? gzipSync(text) : text);
  return { reads: traced.length, events: events.length, warnings: [...new Set(warnings)] };
}

/** When each read began, µs of CLOCK_MONOTONIC. */
function beginsOf(traced: readonly TracedRead[], warnings: string[]): number[] {
  if (traced.every(({ beginUs }) => beginUs !== undefined))
    return traced.map(({ beginUs }) => beginUs ?? 0);
  warnings.push(
    'The run does not hold when each read began on the clock of the trace, so the reads stand where the wall clock has them, to some ms.',
  );
  const known = traced.find(({ beginUs }) => beginUs !== undefined);
  const wallUs = ({ takenAt }: TracedRead): number => Date.parse(takenAt) * 1000;
  const offsetUs = known?.beginUs === undefined ? 0 : known.beginUs - wallUs(known);
  return traced.map((read) => read.beginUs ?? wallUs(read) + offsetUs);
}

/** Chromium's own events; a file that is missing or broken is told, and the rest of the trace still written. */
function chromiumEvents(
  directory: string,
  { traceFile }: TracedRead,
  warnings: string[],
): unknown[] {
  if (traceFile === undefined) {
    warnings.push("Chromium's own events of some reads were not kept, so the trace lacks them.");
    return [];
  }
  const path = join(directory, tracesFolder, traceFile);
  try {
    const packed = readForeignFile(path, { mostBytes: mostTraceBytes, refuseLinks: true });
    const text = gunzipSync(packed, { maxOutputLength: mostTraceBytes }).toString('utf8');
    const { traceEvents } = JSON.parse(text) as { traceEvents?: unknown };
    if (Array.isArray(traceEvents)) return traceEvents.filter(isTraceEvent);
    throw new Error('it has no list of events');
  } catch (error) {
    warnings.push(`${path} is left out: ${messageOf(error)}.`);
    return [];
  }
}
