import type { RunDocument } from '@cachescope/model/run/run.ts';
import { writeComparisonResults } from '../commands/compare/outputs.ts';
import { experiments } from '../experiments/index.ts';
import type { Writer } from './results.ts';

/** Derives again every output of a saved run of any experiment, or of a comparison. */
export const writeResults: Writer<RunDocument> = async (files, document, tools) => {
  const { experiment } = document.run;
  const listed = await experiments[experiment]?.();
  // Each writer belongs to the experiment that the run names; TypeScript cannot infer that through an index.
  const write = (listed?.write ?? writeComparisonResults) as Writer<RunDocument>;
  return write(files, document, tools);
};
