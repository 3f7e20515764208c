import type { Coding } from '@cachescope/model/coding.ts';
import type { StoringMeasureName } from '@cachescope/model/storing/measure.ts';
import {
  type StoringBody,
  type StoringFlag,
  storingFlags,
  type StoringReading,
} from '@cachescope/model/storing/run.ts';
import { firstLoadPath } from '@cachescope/origin/workloads/urls.ts';
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

/** The flags whose condition is true. */
export function flagsOf(conditions: Partial<Record<StoringFlag, boolean>>): StoringFlag[] {
  return storingFlags.filter((flag) => conditions[flag]);
}

/** A reading of a variant, taken now; without values it is flagged as unknown. */
export function readingOf(
  { variant }: { variant: string },
  { body, bytes, coding }: Omit<Cell, 'workload'>,
  measure: StoringMeasureName,
  values: number[],
  flags: readonly StoringFlag[] = [],
): Reading {
  const takenAt = new Date().toISOString();
  const common = { variant, measure, body, bytes, coding, takenAt };
  return { ...common, values, flags: [...flags, ...flagsOf({ unknown: values.length === 0 })] };
}

/** The path of a response with `{key}` in place of its number. */
export function loadPath({ name }: Workload, coding: Coding): string {
  return firstLoadPath(name, coding, 0).replace('load=0', 'load={key}');
}
