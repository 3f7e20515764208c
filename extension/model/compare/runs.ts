import type { Comparable } from './group.ts';
import { comparableSweep } from './sweep.ts';
import type { DocumentOf, Experiment, RunDocument } from '../run/run.ts';

/** How the runs of each experiment are compared: one line each. */
const comparables: { [Name in Experiment]?: Comparable<DocumentOf<Name>> } = {
  sweep: comparableSweep,
};

/** How a run is compared; undefined for a run of an experiment that has no groups of readings. */
export function comparableOf(document: RunDocument): Comparable<RunDocument> | undefined {
  return comparables[document.run.experiment];
}

/** Names of the experiments whose runs can be compared. */
export const comparableExperiments: readonly string[] = Object.keys(comparables);
