import type { Coding } from '@cachescope/model/coding.ts';
import type { StoringMeasureName } from '@cachescope/model/storing/measure.ts';
import type { StoringBody, StoringReading } from '@cachescope/model/storing/run.ts';
import type { Workload } from '@cachescope/origin/workloads/workload.ts';

/** The response of one cell. */
export interface Cell {
  workload: Workload;
  body: StoringBody;
  /** Decoded bytes. */
  bytes: number;
  coding: Coding;
}

/** A reading before it has a number. */
export type Reading = Omit<StoringReading, 'sequence' | 'pass'>;

/** A reading of a variant, taken now; without values it is flagged as unknown. */
export function readingOf(
  { variant }: { variant: string },
  { body, bytes, coding }: Omit<Cell, 'workload'>,
  measure: StoringMeasureName,
  values: number[],
  flags: readonly StoringReading['flags'][number][] = [],
): Reading {
  const unknown = values.length === 0 ? (['unknown'] as const) : [];
  const takenAt = new Date().toISOString();
  const common = { variant, measure, body, bytes, coding, takenAt };
  return { ...common, values, flags: [...flags, ...unknown] };
}
