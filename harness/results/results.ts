import type { DocumentOf, Experiment, RunDocument } from '@cachescope/model/run.ts';
import { writeComparisonResults } from './compare-results.ts';
import { writeExploreResults } from './explore-results.ts';
import { writeFillResults } from './fill-results.ts';
import { writeMicroResults } from './micro-results.ts';
import { writePageloadResults } from './pageload-results.ts';
import { writeReclaimResults } from './reclaim-results.ts';
import { writeSweepResults } from './sweep-results.ts';
import { writeTransferResults } from './transfer-results.ts';

/** A place that takes files by name: a run directory, while it is written or later. */
export interface ResultFiles {
  path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
}

/** What the outputs of a run are made with. */
export interface ResultTools {
  extensionDirectory: string;
  /** null when there is none: then no charts are drawn. */
  chromiumPath: string | null;
}

/** What was derived from a run, and how a terminal shows it. */
export interface Results {
  /** What summary.json holds. */
  summary: object;
  /** The result, for stdout, 80 columns. */
  text: string;
  /** How the run went and where it lies, for stderr. */
  status: string[];
}

type Writer<Name extends Experiment> = (
  files: ResultFiles,
  document: DocumentOf<Name>,
  tools: ResultTools,
) => Promise<Results>;

/** How each experiment's outputs are written: one file each in this folder, one line each here. */
const writers: { [Name in Experiment]: Writer<Name> } = {
  sweep: writeSweepResults,
  explore: writeExploreResults,
  comparison: writeComparisonResults,
  transfer: writeTransferResults,
  fill: writeFillResults,
  micro: writeMicroResults,
  reclaim: writeReclaimResults,
  pageload: writePageloadResults,
};

/**
 * Derives everything that a run shows from its measurements: summary.json, CSV, text report, report.html. Needs no
 * storage and takes no sample; can be repeated at any time.
 */
export function writeResults(
  files: ResultFiles,
  document: RunDocument,
  tools: ResultTools,
): Promise<Results> {
  // The table's type pairs each writer with its document; the compiler cannot follow that through an index.
  const write = writers[document.run.experiment] as Writer<Experiment>;
  return write(files, document, tools);
}
