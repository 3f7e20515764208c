import { busyMs, type DeviceRead, serialReadsOf } from '@cachescope/model/explain/device-read.ts';
import type { ReadResult } from '@cachescope/model/load/messages.ts';
import type { Cell } from '@cachescope/model/run/sample.ts';
import type { Syscall } from '@cachescope/model/explain/syscall.ts';
import {
  hitSteps as steps,
  type TracedFlag,
  type TracedRead,
  waitedReads,
} from '@cachescope/model/explain/traced-read.ts';
import type { BlockRead } from './block-events.ts';
import { deviceReadsOf, dictionaryFile } from './device-reads.ts';
import type { FileExtent } from './file-extents.ts';
import { hitSteps, type SharedOut, usedNetwork } from './hit-steps.ts';
import type { PageRead, TracedRequest } from './netlog-request.ts';

/** All evidence of one traced read. */
export interface TracedEvidence {
  cell: Cell;
  /** Absent: a cached read. */
  kind?: TracedRead['kind'];
  takenAt: string;
  backEnd: TracedRead['backEnd'];
  result: ReadResult;
  /** Lower-case hex SHA-256 of the resource. */
  resourceSha256: string;
  traced: TracedRequest;
  /** Chromium's buffer was full. */
  isCutOff: boolean;
  device: DeviceEvidence;
  /** Relative to the page's begin; null: not requested, or not available. */
  syscalls: readonly Syscall[] | null;
  syscallsWhy?: string | undefined;
}

/** The interval between two readings of the counters, each of which is before its time; µs of the trace's clock. */
export interface CountedInterval extends PageRead {
  /** Requests in flight at the readings, both together. */
  inFlight: number;
}

/** The device's activity, as far as it was observed. */
export interface DeviceEvidence {
  /** null: not observed. */
  reads: readonly BlockRead[] | null;
  witness: TracedRead['deviceWitness'];
  why?: string | undefined;
  /** From the device's counters; null: unknown. */
  countedReads: number | null;
  /** The readings of the counters before and after. */
  counted: CountedInterval;
  extents: readonly FileExtent[] | null;
  isShared: boolean;
}

const sharedWhy = 'other programs use this device too, and some of these reads may be theirs';

/**
 * Maximum difference between the page's clock and the trace's: the larger of this share of the read and this many ms.
 */
const clockShare = 0.1;
const clockMs = 1;

/** Makes a line of traced.ndjson from the evidence; an unobserved value is null, with the reason. */
export function tracedReadOf(evidence: TracedEvidence): TracedRead {
  const { traced, result, device } = evidence;
  const { page, request, scanned } = traced;
  const durationMs = page === null ? null : (page.endUs - page.beginUs) / 1000;
  const { steps: times, spans } = sharedOut(traced);
  const deviceReads =
    page === null || device.reads === null
      ? null
      : deviceReadsOf(device.reads, { ...device, page, spans });
  // On a device shared with other programs, some of the reads may be theirs.
  const isKnown = request !== null && deviceReads !== null && !device.isShared;
  const why = device.why ?? (device.isShared ? sharedWhy : undefined);
  return {
    cell: evidence.cell,
    ...(evidence.kind && { kind: evidence.kind }),
    takenAt: evidence.takenAt,
    backEnd: evidence.backEnd,
    ...(page !== null && { beginUs: page.beginUs }),
    readMs: result.readMs,
    durationMs,
    steps: withDictionary(times, evidence, deviceReads),
    spans,
    deviceReads,
    deviceWitness: deviceReads === null ? null : device.witness,
    ...(why !== undefined && { deviceReadsWhy: why }),
    serialReads: isKnown ? serialReadsOf(waitedReads(deviceReads, spans)) : null,
    countedReads: device.countedReads,
    syscalls: evidence.syscalls === null ? null : [...evidence.syscalls],
    ...(evidence.syscallsWhy !== undefined && { syscallsWhy: evidence.syscallsWhy }),
    traceBytes: scanned.bytes,
    traceEvents: scanned.events,
    flags: flagsOf(evidence, durationMs),
  };
}

function sharedOut({ page, request }: TracedRequest): SharedOut {
  if (page !== null && request !== null) return hitSteps(request, page);
  const unknown = { ms: null, why: 'the trace does not hold the read' };
  return {
    spans: [],
    steps: Object.fromEntries(steps.map((step) => [step, unknown])) as TracedRead['steps'],
  };
}

/**
 * The trace has no events for dictionaries: their reads are known from system calls, or from the device if dictionaries
 * are stored on it.
 */
function withDictionary(
  times: TracedRead['steps'],
  { syscalls, device: { extents } }: TracedEvidence,
  deviceReads: readonly DeviceRead[] | null,
): TracedRead['steps'] {
  const liesThere = extents?.some(({ file }) => dictionaryFile.test(file)) ?? false;
  const reads = syscalls ?? (liesThere ? deviceReads : null);
  if (reads === null) return times;
  const ms = busyMs(reads.filter(({ kind }) => kind === 'dictionary'));
  const of = syscalls === null ? 'device reads' : 'system calls';
  const why = `${of} on dictionaries, side by side with other steps`;
  return { ...times, dictionaryRead: { ms, why } };
}

function flagsOf(evidence: TracedEvidence, durationMs: number | null): TracedFlag[] {
  const { result, traced, device } = evidence;
  const { page, request, scanned } = traced;
  const isFirst = evidence.kind === 'first load';
  const isWhole = page !== null && request !== null;
  const isCutOff = evidence.isCutOff || scanned.isCutOff || request?.endUs === null;
  const offMs = durationMs === null ? 0 : Math.abs(durationMs - result.readMs);
  const flags: [TracedFlag, boolean][] = [
    ['read-failed', result.failure !== undefined],
    ['wrong-body', result.failure === undefined && result.bodySha256 !== evidence.resourceSha256],
    ['network-used', !isFirst && request !== null && usedNetwork(request)],
    ['network-unused', isFirst && request !== null && !usedNetwork(request)],
    ['trace-cut-off', isCutOff],
    ['not-in-trace', !isWhole],
    ['device-reads-disagree', disagree(device)],
    ['clocks-disagree', offMs > Math.max(clockMs, clockShare * result.readMs)],
  ];
  return flags.filter(([, raised]) => raised).map(([flag]) => flag);
}

/**
 * Each request in flight at a reading of the counters may be inside the interval for one witness and outside for the
 * other. On a shared device other programs' reads also change the counters, so the two cannot be compared.
 */
function disagree({ reads, countedReads, counted, isShared }: DeviceEvidence): boolean {
  if (reads === null || countedReads === null || isShared) return false;
  const seen = reads.filter(
    ({ completeUs }) => completeUs >= counted.beginUs && completeUs <= counted.endUs,
  );
  return Math.abs(seen.length - countedReads) > counted.inFlight;
}
