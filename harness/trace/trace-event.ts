/** An event of a trace in Chromium's JSON format; only the fields that are used here. */
export interface TraceEvent {
  /** Categories, separated by commas. */
  cat: string;
  name: string;
  /** Phase: `b`, `n` and `e` begin, mark and end an event on a lane; `R`, `I` and `i` mark a moment. */
  ph: string;
  pid: number;
  /** µs, CLOCK_MONOTONIC. */
  ts: number;
  /** Lane of `b`, `n` and `e`; absent otherwise. */
  id2?: { local?: string; global?: string };
  args?: Record<string, unknown>;
}

/** True for a value with the fields that every event has. */
export function isTraceEvent(value: unknown): value is TraceEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { cat, name, ph, ts } = value as Partial<TraceEvent>;
  return (
    typeof cat === 'string' &&
    typeof name === 'string' &&
    typeof ph === 'string' &&
    typeof ts === 'number'
  );
}
