import { savedComparison } from '../compare/run.ts';
import { savedExplore } from '../explore/run.ts';
import { savedFill } from '../fill/run.ts';
import { savedJudge } from '../judge/run.ts';
import { savedMicro } from '../micro/run.ts';
import { savedPageload } from '../pageload/run.ts';
import { savedReclaim } from '../reclaim/run.ts';
import type { SavedExperiment } from './experiment.ts';
import { savedStoring } from '../storing/run.ts';
import { savedSweep } from '../sweep/run.ts';
import { savedTransfer } from '../transfer/run.ts';

/** Every experiment by its name in run.json. A new experiment needs one file and one line here. */
export const experiments = {
  sweep: savedSweep,
  explore: savedExplore,
  comparison: savedComparison,
  micro: savedMicro,
  pageload: savedPageload,
  fill: savedFill,
  transfer: savedTransfer,
  reclaim: savedReclaim,
  storing: savedStoring,
  judge: savedJudge,
};
export type Experiment = keyof typeof experiments;

type DocumentIn<Saved> = Saved extends SavedExperiment<infer Document> ? Document : never;

/** A run of the named experiment, with all its measurements. */
export type DocumentOf<Name extends Experiment> = DocumentIn<(typeof experiments)[Name]>;

/** A run with all its measurements in one document: report.html embeds it and the panel opens it. */
export type RunDocument = DocumentOf<Experiment>;
/** run.json of any experiment, identified by `experiment`. */
export type Run = RunDocument['run'];

/** Whether a run is one of the named experiment. */
export function isRunOf<Name extends Experiment>(
  experiment: Name,
  document: RunDocument,
): document is DocumentOf<Name> {
  return document.run.experiment === experiment;
}

/** The amount that a run measured, for people: `480 samples`. */
export function measured(document: RunDocument): string {
  const saved = experiments[document.run.experiment] as SavedExperiment<RunDocument>;
  return saved.measured(document);
}
