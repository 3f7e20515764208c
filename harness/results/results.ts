import type { RunDocument } from '@cachescope/model/run.ts';
import { writeExploreResults } from './explore-results.ts';
import { writeSweepResults } from './sweep-results.ts';

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

/**
 * Derives everything that a run shows from its measurements: summary.json, CSV, text report, report.html. Needs no
 * storage and takes no sample; can be repeated at any time. Each experiment has a file for it.
 */
export function writeResults(
  files: ResultFiles,
  document: RunDocument,
  tools: ResultTools,
): Promise<Results> {
  return 'samples' in document
    ? writeSweepResults(files, document, tools)
    : writeExploreResults(files, document, tools);
}
