import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Resource } from '@cachescope/model/load/load.ts';

/** `…-sensitive`: with cookies and credentials, which the others leave out. CSV has no headers. */
export const exportFormats = ['har', 'har-sensitive', 'csv', 'json', 'json-sensitive'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** What a lab can be asked for. */
export type LabRequest =
  | { kind: 'delay'; delayMs: number }
  | { kind: 'dropPageCache' | 'clearHttpCache' | 'relaunch' };

/** What the panel can do beyond changing what it shows. None of them rejects: what fails is told in the state. */
export interface Commands {
  toggleRecording: () => void;
  reloadPage: () => void;
  showLoad: (id: string) => void;
  forgetLoad: (id: string) => void;
  /** Asks for files; drops come through openFiles. */
  chooseFiles: () => void;
  openFiles: (files: readonly File[]) => void;
  exportShown: (format: ExportFormat) => void;
  copyCurl: (resource: Resource) => void;
  setDepth: (depth: EvidenceDepth) => void;
  /** Asks for access to the site of the inspected page. */
  allowSite: () => void;
  /** Finds the uses of a URL in the stored loads. */
  findHistory: (url: string) => void;
  /** Finds the dictionaries that the stored loads offered. */
  findDictionaries: () => void;
  /** Compresses the body of a resource with plain Brotli. */
  measureCost: (resource: Resource) => void;
  cancelCost: () => void;
  /** Reads the sizes of the cache's entries, for the load on display. */
  findStoredSizes: () => void;
  askLab: (request: LabRequest) => void;
}
