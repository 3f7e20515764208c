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

/** Derives everything that a run shows from what it measured. Needs no storage; can be repeated at any time. */
export type Writer<Document> = (
  files: ResultFiles,
  document: Document,
  tools: ResultTools,
) => Promise<Results>;
