import type { EvidenceDepth } from '@cachescope/model/attribution/evidence.ts';
import type { Resource } from '@cachescope/model/load/load.ts';

/** `…-sensitive`: including cookies and credentials, which the other formats omit. CSV has no headers. */
export const exportFormats = ['har', 'har-sensitive', 'csv', 'json', 'json-sensitive'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** Requests to a lab. */
export type LabRequest =
  | { kind: 'delay'; delayMs: number }
  | { kind: 'dropPageCache' | 'clearHttpCache' | 'relaunch' };

/** Actions of the panel beyond changing its view. None of them rejects: errors are reported in the state. */
export interface Commands {
  toggleRecording: () => void;
  reloadPage: () => void;
  showLoad: (id: string) => void;
  forgetLoad: (id: string) => void;
  /** Opens the file picker; dropped files are passed to openFiles. */
  chooseFiles: () => void;
  openFiles: (files: readonly File[]) => void;
  exportShown: (format: ExportFormat) => void;
  /** Copies a text; `what` completes the sentence "Copied …". */
  copy: (text: string, what: string) => void;
  copyCurl: (resource: Resource) => void;
  setDepth: (depth: EvidenceDepth) => void;
  /** Empties the cache of the whole browser; only where the debugger is attached. */
  clearBrowserCache: () => void;
  /** Blocks requests for a URL in the inspected page, or no longer blocks them; only where the debugger is attached. */
  toggleBlocked: (url: string) => void;
  /** Requests access to the site of the inspected page. */
  allowSite: () => void;
  /** Finds the uses of a URL in the stored loads. */
  findHistory: (url: string) => void;
  /** Finds the dictionaries that the stored loads offered. */
  findDictionaries: () => void;
  /** Compresses the body of a resource with plain Brotli. */
  measureCost: (resource: Resource) => void;
  cancelCost: () => void;
  /** Reads the stored sizes of the cache's entries, for the displayed load. */
  findStoredSizes: () => void;
  askLab: (request: LabRequest) => void;
}
