import type { RunBase } from '../run/base.ts';
import type { TracedRead } from './traced-read.ts';

/** Shown when the reads of a trace were taken on several machines. */
const severalClocks =
  'The reads were taken on several machines, each with a clock of its own: times of different machines cannot be compared.';

/** Shown when a run does not contain the start times of its reads on the trace's clock. */
const placedByWallClock =
  'The run has no start times on the clock of the trace, so the reads are placed by the wall clock, within some ms.';

/** Start of each read, µs of CLOCK_MONOTONIC, with the limits of these times, in sentences. */
export function beginsOf(traced: readonly TracedRead[]): { beginsUs: number[]; limits: string[] } {
  const machines = new Set(traced.map(({ machine }) => machine));
  const limits = machines.size > 1 ? [severalClocks] : [];
  if (traced.every(({ beginUs }) => beginUs !== undefined))
    return { beginsUs: traced.map(({ beginUs }) => beginUs ?? 0), limits };
  const known = traced.find(({ beginUs }) => beginUs !== undefined);
  const wallUs = ({ takenAt }: TracedRead): number => Date.parse(takenAt) * 1000;
  const offsetUs = known?.beginUs === undefined ? 0 : known.beginUs - wallUs(known);
  return {
    beginsUs: traced.map((read) => read.beginUs ?? wallUs(read) + offsetUs),
    limits: [placedByWallClock, ...limits],
  };
}

/** The events as a file in the Trace Event Format, one event per line as Chromium writes it. */
export function traceFileText(
  events: readonly unknown[],
  { environment, startedAt, tool }: Pick<RunBase, 'environment' | 'startedAt' | 'tool'>,
): string {
  const lines = events.map((event) => JSON.stringify(event)).join(',\n');
  const metadata = {
    'clock-domain': 'LINUX_CLOCK_MONOTONIC',
    'product-version': environment.chromium.version,
    cachescope: { version: tool.version, startedAt },
  };
  return `{"traceEvents":[\n${lines}\n],"displayTimeUnit":"ms","metadata":${JSON.stringify(metadata)}}\n`;
}
