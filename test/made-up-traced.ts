import type { Coding } from '@cachescope/model/coding.ts';
import { type HitStep, hitSteps, type TracedRead } from '@cachescope/model/traced-read.ts';

/** A traced hit with known steps and device reads in a row, for tests of what is shown. Not measured. */
export function madeUpTraced(
  arm: Coding,
  delayMs: number,
  serialReads: number,
  changes: Partial<TracedRead> = {},
): TracedRead {
  const openMs = 2 + delayMs;
  const bodyMs = serialReads * delayMs;
  const known: Partial<Record<HitStep, number>> = {
    entryOpen: openMs,
    bodyRead: bodyMs,
    delivery: 3,
  };
  const steps = Object.fromEntries(
    hitSteps.map((step) => [step, { ms: step === 'dictionaryRead' ? null : (known[step] ?? 0) }]),
  ) as TracedRead['steps'];
  const durationMs = openMs + bodyMs + 3;
  return {
    cell: { arm, storage: delayMs === 0 ? 'none' : 'nbd-delay', delayMs },
    takenAt: '2026-11-21T00:00:00.000Z',
    backEnd: 'simple',
    readMs: durationMs,
    durationMs,
    steps,
    spans: [
      { step: 'entryOpen', startMs: 0, endMs: openMs },
      { step: 'bodyRead', startMs: openMs, endMs: openMs + bodyMs },
      { step: 'delivery', startMs: openMs + bodyMs, endMs: durationMs },
    ],
    deviceReads: Array.from({ length: serialReads }, (_, index) => ({
      startMs: openMs + index * delayMs,
      endMs: openMs + (index + 1) * delayMs,
      offset: index * 131_072,
      bytes: 131_072,
      kind: 'body' as const,
    })),
    deviceWitness: 'block tracepoints',
    serialReads,
    countedReads: serialReads,
    syscalls: null,
    traceBytes: 90_000,
    traceEvents: 240,
    flags: [],
    ...changes,
  };
}
