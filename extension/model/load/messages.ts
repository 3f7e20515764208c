import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { LabLink } from '../explore/lab.ts';
import type { Load, LoadHead } from './load.ts';
import type { Attribution } from '../run/sample.ts';
import type { ResourceTiming } from '../attribution/resource-timing.ts';

/** One read that the instrument is asked for. */
export interface ReadRequest {
  /** Absolute URL, same origin as the page. */
  url: string;
  /** Quiet time before the clock starts, ms, so that dealing with this request is over by then. */
  settleMs: number;
  /** True: the page marks both ends of the read (`readMarks`), for a trace. Absent: it does not. */
  marks?: boolean | undefined;
}

/** Names of the marks of User Timing that stand around a read in a trace. */
export const readMarks = { begin: 'cachescope-read-begin', end: 'cachescope-read-end' } as const;

/** What the page saw of one read. */
export interface ReadResult {
  url: string;
  /** From the call of fetch() to the whole decoded body in the page, ms. */
  readMs: number;
  /** 0 when there was no response. */
  status: number;
  bodyBytes: number;
  /** Lower-case hex SHA-256 of the decoded body, computed after the clock has stopped; empty without a whole body. */
  bodySha256: string;
  /** Why the fetch or its body failed; absent when there is a whole body. */
  failure?: string | undefined;
  /** null when the browser delivered no Resource Timing entry for it within 1 s. */
  timing: ResourceTiming | null;
  /** From page-depth evidence only. */
  attribution: Attribution;
}

/** What an opened page can do, told when it is ready. */
export interface PageState {
  tabId: number;
  url: string;
  crossOriginIsolated: boolean;
  /** Smallest step of performance.now() seen, ms. */
  timerStepMs: number;
}

/** The instrument as the harness drives it: `globalThis.cachescope` in the extension's service worker. */
export interface Instrument {
  /** Opens a page in a new tab; settles when its content scripts answer. Rejects after the limit, 15 s by itself. */
  open(url: string, limitMs?: number): Promise<PageState>;
  /** Reads one resource in the page of that tab. Rejects when the page cannot be reached. */
  read(tabId: number, request: ReadRequest): Promise<ReadResult>;
  close(tabId: number): Promise<void>;
  /**
   * Watches what a tab loads from now on, besides what its present page has loaded already. Rejects when a permission is
   * missing.
   */
  watch(tabId: number, depth: EvidenceDepth): Promise<void>;
  unwatch(tabId: number): Promise<void>;
  /** Heads of all loads that are kept, newest first. */
  loads(): Promise<LoadHead[]>;
  /** Rejects when there is no such load. */
  load(id: string): Promise<Load>;
  /** Loads from now on are handed to this lab. */
  connectLab(link: LabLink): Promise<void>;
  /** Settles when the lab has every load, or cannot be reached. */
  saveLoads(): Promise<void>;
}
