import type { Comparable } from './group.ts';
import { comparableSweep } from './sweep.ts';
import type { DocumentOf, Experiment, RunDocument } from '../run/run.ts';

/** Definitions of the comparisons, one per experiment. */
const comparables: { [Name in Experiment]?: Comparable<DocumentOf<Name>> } = {
  sweep: comparableSweep,
};

/** The definition for a run; undefined when its experiment has no groups of readings. */
export function comparableOf(document: RunDocument): Comparable<RunDocument> | undefined {
  return comparables[document.run.experiment];
}

/** Names of the experiments whose runs can be compared. */
export const comparableExperiments: readonly string[] = Object.keys(comparables);
