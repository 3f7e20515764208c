import { codingLabels } from '../coding.ts';
import { byteSize } from '../quantity.ts';
import { type DeviceRead, serialChain } from './device-read.ts';
import { takenOn, type TracedRead, waitedReads } from './traced-read.ts';

/** An event of a trace in the Trace Event Format ("Trace Event Format", Chromium's catapult project). */
export interface WrittenEvent {
  name: string;
  cat: string;
  /** `X` a slice; `s`, `t` and `f` the start, step and end of a flow; `C` a counter; `M` metadata (a name). */
  ph: 'X' | 's' | 't' | 'f' | 'C' | 'M';
  pid: number;
  tid: number;
  /** µs of CLOCK_MONOTONIC; 0 for metadata. */
  ts: number;
  dur?: number;
  /** For flow events: shared by all events of one flow. */
  id?: number;
  /** For the last flow event: binds to the enclosing slice. */
  bp?: 'e';
  args?: Record<string, unknown>;
}

/** Categories of our events, for use in trace queries. */
export const categories = {
  read: 'cachescope.read',
  step: 'cachescope.step',
  device: 'cachescope.device',
  syscall: 'cachescope.syscall',
  inFlight: 'cachescope.inFlight',
} as const;

/** Above every process id of Linux (PID_MAX_LIMIT, include/linux/threads.h), so that Chromium's ids do not collide. */
const firstPid = 5_000_000;
const stepThread = 1;
const deviceThread = 10;
const syscallThread = 1000;

/** Process name of a traced read: `Read of DCB, 10 ms`; in a merged run `Read of DCB, 10 ms, m2, shard 3`. */
export function tracedReadName(read: TracedRead): string {
  const { cell, kind } = read;
  const delay = cell.storage === 'none' ? 'control' : `${cell.delayMs} ms`;
  const words = [codingLabels[cell.arm], delay, cell.workload, cell.variant, kind, takenOn(read)];
  return `Read of ${words.filter((word) => word !== undefined).join(', ')}`;
}

/**
 * One traced read as trace events: its own process with the read, its steps, every device read with its position in the
 * longest chain, flow arrows along that chain, the number of reads in flight, and the system calls. Unknown values are
 * absent.
 *
 * @param index position among the reads of one trace, from 0.
 * @param beginUs when the page sent the request, µs of CLOCK_MONOTONIC.
 */
export function traceEventsOf(read: TracedRead, index: number, beginUs: number): WrittenEvent[] {
  const at: Place = { pid: firstPid + index, beginUs };
  const deviceReads = read.deviceReads ?? [];
  const chain = read.serialReads === null ? [] : serialChain(waitedReads(deviceReads, read.spans));
  const laid = inLanes(deviceReads, deviceThread, at);
  const calls = inLanes(read.syscalls ?? [], syscallThread, at);
  const threads = new Map([
    [stepThread, 'Steps of the read'],
    ...laid.map(({ tid }) => [tid, 'Device reads'] as const),
    ...calls.map(({ tid }) => [tid, 'System calls of the network service'] as const),
  ]);
  return [
    ...names(at, index, read, threads),
    ...wholeRead(at, read),
    ...read.spans.map(({ step, startMs, endMs }) =>
      slice(at, stepThread, [step, categories.step], { startMs, endMs }),
    ),
    ...laid.map(({ item, tid }) => deviceSlice(at, tid, item, chain)),
    ...arrows(at, index, laid, chain),
    ...inFlight(at, deviceReads),
    ...calls.map(({ item, tid }) => {
      const { name, startMs, endMs, ...args } = item;
      return slice(at, tid, [name, categories.syscall], { startMs, endMs }, args);
    }),
  ];
}

interface Place {
  pid: number;
  beginUs: number;
}

interface Interval {
  startMs: number;
  endMs: number;
}

/** Rounded to the ns, so that a slice still ends exactly where the next one begins. */
function usOf({ beginUs }: Place, ms: number): number {
  return Math.round((beginUs + ms * 1000) * 1000) / 1000;
}

function slice(
  at: Place,
  tid: number,
  [name, cat]: readonly [name: string, cat: string],
  { startMs, endMs }: Interval,
  args?: Record<string, unknown>,
): WrittenEvent {
  const ts = usOf(at, startMs);
  const dur = Math.round((usOf(at, endMs) - ts) * 1000) / 1000;
  return { name, cat, ph: 'X', pid: at.pid, tid, ts, dur, ...(args && { args }) };
}

/** Empty when the trace does not contain both ends of the read. */
function wholeRead(at: Place, read: TracedRead): WrittenEvent[] {
  if (read.durationMs === null) return [];
  const { cell, machine, shard, readMs, backEnd } = read;
  const { serialReads, countedReads, deviceWitness, flags } = read;
  // Absent values are absent in the file, too.
  const args = {
    ...cell,
    machine,
    shard,
    readMs,
    backEnd,
    serialReads,
    countedReads,
    deviceWitness,
    flags,
  };
  const interval = { startMs: 0, endMs: read.durationMs };
  return [slice(at, stepThread, [tracedReadName(read), categories.read], interval, args)];
}

function deviceSlice(
  at: Place,
  tid: number,
  read: DeviceRead,
  chain: readonly DeviceRead[],
): WrittenEvent {
  const { offset, bytes, kind, file, isReadAhead } = read;
  const place = chain.indexOf(read);
  const args = {
    offset,
    bytes,
    kind,
    ...(file !== undefined && { file }),
    ...(isReadAhead !== undefined && { isReadAhead }),
    // From 1; absent for a read outside the chain.
    ...(place >= 0 && { placeInChain: place + 1, chainLength: chain.length }),
  };
  return slice(at, tid, [`${kind}, ${byteSize(bytes)}`, categories.device], read, args);
}

/** Slices of one thread must not overlap: each goes to the first free lane. */
function inLanes<Item extends Interval>(
  items: readonly Item[],
  firstTid: number,
  at: Place,
): { item: Item; tid: number }[] {
  const freeFrom: number[] = [];
  return items
    .toSorted((one, other) => one.startMs - other.startMs)
    .map((item) => {
      const free = freeFrom.findIndex((us) => us <= usOf(at, item.startMs));
      const lane = free === -1 ? freeFrom.length : free;
      freeFrom[lane] = usOf(at, item.endMs);
      return { item, tid: firstTid + lane };
    });
}

/**
 * Flow arrows from each read of the chain to the next. Perfetto binds a flow event to the enclosing slice, DevTools to
 * the slice of the same category with the same start. So each flow event has the start time of its slice.
 */
function arrows(
  at: Place,
  index: number,
  laid: readonly { item: DeviceRead; tid: number }[],
  chain: readonly DeviceRead[],
): WrittenEvent[] {
  if (chain.length < 2) return [];
  const threads = new Map(laid.map(({ item, tid }) => [item, tid]));
  const last = chain.length - 1;
  return chain.map((read, place) => ({
    name: 'Longest chain',
    cat: categories.device,
    ph: place === 0 ? 's' : place === last ? 'f' : 't',
    pid: at.pid,
    tid: threads.get(read) ?? 0,
    ts: usOf(at, read.startMs),
    id: index + 1,
    ...(place === last && { bp: 'e' as const }),
  }));
}

/** A counter of the reads in flight, with one event per change. */
function inFlight(at: Place, reads: readonly DeviceRead[]): WrittenEvent[] {
  const changes = reads.flatMap(({ startMs, endMs }) => [
    [usOf(at, startMs), 1] as const,
    [usOf(at, endMs), -1] as const,
  ]);
  let count = 0;
  const counts = new Map<number, number>();
  for (const [us, change] of changes.toSorted(([one], [other]) => one - other)) {
    count += change;
    counts.set(us, count);
  }
  return [...counts].map(([ts, value]) => ({
    name: 'Device reads in flight',
    cat: categories.inFlight,
    ph: 'C',
    pid: at.pid,
    tid: 0,
    ts,
    args: { reads: value },
  }));
}

function names(
  { pid }: Place,
  index: number,
  read: TracedRead,
  threads: ReadonlyMap<number, string>,
): WrittenEvent[] {
  const meta = { cat: '__metadata', ph: 'M', pid, ts: 0 } as const;
  return [
    { ...meta, name: 'process_name', tid: 0, args: { name: tracedReadName(read) } },
    { ...meta, name: 'process_sort_index', tid: 0, args: { sort_index: index - 1000 } },
    ...[...threads].flatMap(([tid, name]) => [
      { ...meta, name: 'thread_name', tid, args: { name } },
      { ...meta, name: 'thread_sort_index', tid, args: { sort_index: tid } },
    ]),
  ];
}
