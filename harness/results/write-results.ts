import type { RunDocument } from '@cachescope/model/run/run.ts';
import { writeComparisonResults } from '../commands/compare/outputs.ts';
import { experiments } from '../experiments/index.ts';
import type { Writer } from './results.ts';

/** Derives every output of a saved run of any experiment again, and those of a comparison. */
export const writeResults: Writer<RunDocument> = async (files, document, tools) => {
  const { experiment } = document.run;
  const listed = await experiments[experiment]?.();
  // Each writer is of the experiment that the run names; the compiler cannot follow that through an index.
  const write = (listed?.write ?? writeComparisonResults) as Writer<RunDocument>;
  return write(files, document, tools);
};
