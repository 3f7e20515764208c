import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { LabLink } from '../explore/lab.ts';
import type { Load, LoadHead } from './load.ts';
import type { Attribution } from '../run/sample.ts';
import type { PageDescription, PageReading } from './page-message.ts';

/** A request to the instrument for one read. */
export interface ReadRequest {
  /** Absolute URL, same origin as the page. */
  url: string;
  /** Idle time before the timer starts, ms, so that handling this request is over by then. */
  settleMs: number;
  /** True: the page marks both ends of the read (`readMarks`), for a trace. Absent: it does not. */
  marks?: boolean | undefined;
}

/** Names of the User Timing marks around a read in a trace. */
export const readMarks = { begin: 'cachescope-read-begin', end: 'cachescope-read-end' } as const;

/** A request of the service worker to a page. */
export type PageQuestion = { type: 'describe' } | { type: 'read'; request: ReadRequest };

/** One read as the page measured it. */
export interface ReadResult extends Omit<PageReading, 'hasServiceWorker'> {
  /** From page-depth evidence only. */
  attribution: Attribution;
}

/** Capabilities of an opened page, reported when it is ready. */
export interface PageState extends PageDescription {
  tabId: number;
  url: string;
}

/** The instrument as the harness drives it: `globalThis.cachescope` in the extension's service worker. */
export interface Instrument {
  /** Opens a page in a new tab; resolves when its content scripts answer. Rejects after the limit, 60 s by default. */
  open(url: string, limitMs?: number): Promise<PageState>;
  /** Reads one resource in the page of that tab. Rejects when the page cannot be reached. */
  read(tabId: number, request: ReadRequest): Promise<ReadResult>;
  close(tabId: number): Promise<void>;
  /**
   * Watches the loads of a tab from now on, including what its current page has already loaded. Rejects when a
   * permission is missing.
   */
  watch(tabId: number, depth: EvidenceDepth): Promise<void>;
  unwatch(tabId: number): Promise<void>;
  /** Heads of all stored loads, newest first. */
  loads(): Promise<LoadHead[]>;
  /** Rejects when there is no such load. */
  load(id: string): Promise<Load>;
  /** Hands later loads to this lab. */
  connectLab(link: LabLink): Promise<void>;
  /** Resolves when the lab has every load, or cannot be reached. */
  saveLoads(): Promise<void>;
}
