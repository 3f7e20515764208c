import type { Trust } from '@cachescope/model/run/trust.ts';

/** Stores files by name: a run directory, during the run or later. */
export interface ResultFiles {
  path: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
}

/** Tools for the outputs of a run. */
export interface ResultTools {
  extensionDirectory: string;
  /** null when there is none: then no charts are drawn. */
  chromiumPath: string | null;
}

/** Results derived from a run, and their form for a terminal. */
export interface Results {
  /** Content of summary.json. */
  summary: { trust: Trust };
  /** The result as one screen, for stdout. */
  text: string;
  /** The whole result as text, for `--verbose`. */
  details: string;
  /** Warnings about the run, without duplicates. */
  warnings: readonly string[];
  /** Path of the report; null: it was not written. */
  report: string | null;
  /** What else is to be known of the run, for stderr: why it is not complete. */
  status: string[];
}

/** Derives all outputs of a run from its measurements. Needs no storage; can be repeated at any time. */
export type Writer<Document> = (
  files: ResultFiles,
  document: Document,
  tools: ResultTools,
) => Promise<Results>;
