import type { EvidenceDepth } from '../attribution/evidence.ts';
import type { LabLink } from '../explore/lab.ts';
import type { Load, LoadHead } from './load.ts';
import type { Attribution } from '../run/sample.ts';
import type { ResourceTiming } from '../attribution/resource-timing.ts';

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

/** One read as the page measured it. */
export interface ReadResult {
  url: string;
  /** From the call of fetch() until the page has the whole decoded body, ms. */
  readMs: number;
  /** 0 when there was no response. */
  status: number;
  bodyBytes: number;
  /** Lower-case hex SHA-256 of the decoded body, computed after the timer stopped; empty without a complete body. */
  bodySha256: string;
  /** Why the fetch or its body failed; absent when the body is complete. */
  failure?: string | undefined;
  /** null when the browser delivered no Resource Timing entry for it within 1 s. */
  timing: ResourceTiming | null;
  /** From page-depth evidence only. */
  attribution: Attribution;
}

/** Capabilities of an opened page, reported when it is ready. */
export interface PageState {
  tabId: number;
  url: string;
  crossOriginIsolated: boolean;
  /** Smallest step of performance.now() seen, ms. */
  timerStepMs: number;
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
