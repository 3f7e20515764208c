import { savedExplore } from './explore-run.ts';
import type { SavedExperiment } from './run-experiment.ts';
import { savedSweep } from './sweep-run.ts';

/** Every experiment by its name in run.json. A new one is one file, and one line here. */
export const experiments = { sweep: savedSweep, explore: savedExplore };
export type Experiment = keyof typeof experiments;

type DocumentOf<Saved> = Saved extends SavedExperiment<infer Document> ? Document : never;

/** A run with all that was measured in one document: what report.html embeds and the panel opens. */
export type RunDocument = DocumentOf<(typeof experiments)[Experiment]>;
/** run.json of any experiment: `experiment` tells which. */
export type Run = RunDocument['run'];
