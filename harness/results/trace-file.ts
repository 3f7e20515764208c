import { gunzipSync, gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { traceEventsOf } from '@cachescope/model/explain/trace-events.ts';
import { beginsOf, traceFileText } from '@cachescope/model/explain/trace-file.ts';
import { type TracedRead, tracesFolder } from '@cachescope/model/explain/traced-read.ts';
import { isRunOf, type RunDocument } from '@cachescope/model/run/run.ts';
import { readForeignFile } from '@cachescope/origin/foreign-file.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { mostTraceBytes } from '../trace/kept-trace.ts';
import { isTraceEvent } from '../trace/trace-scanner.ts';
import { writeOutput } from './output-file.ts';

/** The result of writing a trace file. */
export interface WrittenTrace {
  reads: number;
  events: number;
  /** Limits of the trace, in sentences. */
  warnings: string[];
}

/**
 * Writes all traced reads of a run to one file in the Trace Event Format, gzipped if its name ends with `.gz`:
 * Chromium's own events and ours, on Chromium's clock.
 *
 * @param directory of the run: it contains Chromium's traces.
 * @throws CachescopeError CS_NO_TRACES, exit code 2.
 */
export function writeTrace(path: string, directory: string, document: RunDocument): WrittenTrace {
  const traced = isRunOf('sweep', document) ? (document.traced ?? []) : [];
  if (traced.length === 0)
    throw new CachescopeError('CS_NO_TRACES', `${directory} has no traced reads`, {
      hint: 'Take them: npm run sweep -- --trace',
    });
  const { beginsUs, limits } = beginsOf(traced);
  const warnings = [...limits];
  const room = { leftBytes: mostTextBytes };
  const events = traced.flatMap((read, index) => [
    ...chromiumEvents(directory, read, room, warnings),
    ...traceEventsOf(read, index, beginsUs[index] ?? 0),
  ]);
  const text = traceFileText(events, document.run);
  writeOutput(path, path.endsWith('.gz') ? gzipSync(text) : text);
  return { reads: traced.length, events: events.length, warnings: [...new Set(warnings)] };
}

/** How a trace in a run's directory is read, which anyone may have made. */
const rules = { mostBytes: mostTraceBytes, refuseLinks: true };

/** Copies Chromium's trace of a read. Returns why it is left out; null when it is copied. */
export function copyKeptTrace(from: string, to: string): string | null {
  let trace: Uint8Array;
  try {
    trace = readForeignFile(from, rules);
  } catch (error) {
    return `${messageOf(error)}; the trace is left out`;
  }
  writeOutput(to, trace);
  return null;
}

/** Maximum size of Chromium's traces of a run together, bytes unpacked: all of their events are in memory at once. */
const mostTextBytes = 256 * 1024 ** 2;

/** Keeps the process ids of a shard apart from those of other shards and of our events; a power of 2 above PID_MAX_LIMIT. */
const shardPids = 2 ** 23;

/** Chromium's own events; a file that is missing or broken is reported, and the rest of the trace is still written. */
function chromiumEvents(
  directory: string,
  { traceFile, shard = 0 }: TracedRead,
  room: { leftBytes: number },
  warnings: string[],
): unknown[] {
  if (traceFile === undefined) {
    warnings.push("Chromium's own events of some reads were not kept, so the trace lacks them.");
    return [];
  }
  const path = join(directory, tracesFolder, traceFile);
  try {
    const unpacked = gunzipSync(readForeignFile(path, rules), { maxOutputLength: mostTraceBytes });
    if (unpacked.length > room.leftBytes)
      throw new Error(`the traces of this run have more than ${mostTextBytes} bytes`);
    room.leftBytes -= unpacked.length;
    const { traceEvents } = JSON.parse(unpacked.toString('utf8')) as { traceEvents?: unknown };
    if (Array.isArray(traceEvents))
      return traceEvents
        .filter(isTraceEvent)
        .map((event) => ({ ...event, pid: event.pid + shard * shardPids }));
    throw new Error('it has no list of events');
  } catch (error) {
    warnings.push(`${path} is left out: ${messageOf(error)}.`);
    return [];
  }
}
