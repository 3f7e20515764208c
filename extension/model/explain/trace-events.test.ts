import { expect, test } from 'vitest';
import { madeUpTraced } from '../fixtures/made-up-traced.ts';
import { categories, traceEventsOf, tracedReadName, type WrittenEvent } from './trace-events.ts';

const beginUs = 123_456_789_012.25;
const of = (events: readonly WrittenEvent[], cat: string) =>
  events.filter((event) => event.cat === cat);
const slicesOf = (events: readonly WrittenEvent[], cat: string) =>
  of(events, cat).filter(({ ph }) => ph === 'X');

/** Reads 1 and 2 overlap; 3 follows both; 4 was issued after the last byte was served, so nothing waited for it. */
const overlapping = madeUpTraced('dcb', 5, 2, {
  cell: { arm: 'dcb', storage: 'nbd-delay', delayMs: 5, variant: 'stock' },
  durationMs: 40,
  spans: [
    { step: 'entryOpen', startMs: 0, endMs: 10.1 },
    { step: 'bodyRead', startMs: 10.1, endMs: 30.2 },
    { step: 'delivery', startMs: 30.2, endMs: 40 },
  ],
  deviceReads: [
    { startMs: 0.1, endMs: 8, offset: 0, bytes: 4096, kind: 'metadata', isReadAhead: false },
    { startMs: 2, endMs: 9.3, offset: 8192, bytes: 131_072, kind: 'body', file: 'abc_0' },
    { startMs: 10.2, endMs: 20.4, offset: 4096, bytes: 4096, kind: 'body' },
    { startMs: 32, endMs: 38, offset: 4096, bytes: 4096, kind: 'other' },
  ],
  serialReads: 2,
});

test('the read, its steps and its device reads have their times on the trace’s clock', () => {
  const events = traceEventsOf(overlapping, 2, beginUs);
  expect(tracedReadName(overlapping)).toBe('Read of DCB, 5 ms, stock');
  expect(of(events, categories.read)).toMatchObject([
    { ph: 'X', pid: 5_000_002, ts: beginUs, dur: 40_000, args: { arm: 'dcb', serialReads: 2 } },
  ]);
  expect(of(events, categories.step).map(({ name, ts, dur }) => [name, ts, dur])).toEqual([
    ['entryOpen', beginUs, 10_100],
    ['bodyRead', beginUs + 10_100, 20_100],
    ['delivery', beginUs + 30_200, 9800],
  ]);
  const reads = slicesOf(events, categories.device);
  expect(reads.map(({ args }) => args)).toEqual([
    {
      offset: 0,
      bytes: 4096,
      kind: 'metadata',
      isReadAhead: false,
      placeInChain: 1,
      chainLength: 2,
    },
    { offset: 8192, bytes: 131_072, kind: 'body', file: 'abc_0' },
    { offset: 4096, bytes: 4096, kind: 'body', placeInChain: 2, chainLength: 2 },
    { offset: 4096, bytes: 4096, kind: 'other' },
  ]);
  expect(reads.map(({ name }) => name).slice(0, 2)).toEqual(['metadata, 4 KiB', 'body, 128 KiB']);
});

test('reads of one cell that two shards took have separate names', () => {
  const reads = [2, 3].map((shard) => ({ ...overlapping, machine: 'm2', shard }));
  expect(reads.map(tracedReadName)).toEqual([
    'Read of DCB, 5 ms, stock, m2, shard 2',
    'Read of DCB, 5 ms, stock, m2, shard 3',
  ]);
  const [whole] = of(traceEventsOf(reads[0] ?? overlapping, 0, 0), categories.read);
  expect(whole?.args).toMatchObject({ machine: 'm2', shard: 2 });
});

test('slices of a thread do not overlap, and each thread has a name', () => {
  const events = traceEventsOf(overlapping, 0, beginUs);
  const threads = Map.groupBy(slicesOf(events, categories.device), ({ tid }) => tid);
  expect([...threads.keys()]).toEqual([10, 11]);
  for (const [tid, slices] of threads) {
    for (const [index, { ts }] of slices.slice(1).entries()) {
      const before = slices[index] as WrittenEvent;
      expect(ts).toBeGreaterThanOrEqual(before.ts + (before.dur ?? 0));
    }
    expect(events).toContainEqual(
      expect.objectContaining({
        ph: 'M',
        name: 'thread_name',
        tid,
        args: { name: 'Device reads' },
      }),
    );
  }
});

test('flow arrows follow the chain, each starting with a slice of its category', () => {
  const chain = { deviceReads: madeUpTraced('dcb', 5, 4).deviceReads, serialReads: 4 };
  const events = traceEventsOf(madeUpTraced('dcb', 5, 4, chain), 6, beginUs);
  const arrows = of(events, categories.device).filter(({ ph }) => ph !== 'X');
  expect(arrows.map(({ ph, id, bp }) => [ph, id, bp])).toEqual([
    ['s', 7, undefined],
    ['t', 7, undefined],
    ['t', 7, undefined],
    ['f', 7, 'e'],
  ]);
  const slices = events.filter(({ cat, ph }) => ph === 'X' && cat === categories.device);
  for (const [place, { tid, ts }] of arrows.entries()) {
    const begun = slices.filter((slice) => slice.tid === tid && slice.ts === ts);
    expect(begun).toMatchObject([{ args: { placeInChain: place + 1, chainLength: 4 } }]);
  }
});

test('the counter has the number of reads in flight, and ends at 0', () => {
  const counts = of(traceEventsOf(overlapping, 0, 0), categories.inFlight);
  expect(counts.map(({ ts, args }) => [ts, args?.['reads']])).toEqual([
    [100, 1],
    [2000, 2],
    [8000, 1],
    [9300, 0],
    [10_200, 1],
    [20_400, 0],
    [32_000, 1],
    [38_000, 0],
  ]);
});

test('unknown values are absent', () => {
  const unknown = { durationMs: null, spans: [], deviceReads: null, serialReads: null };
  const none = traceEventsOf(madeUpTraced('br', 5, 3, unknown), 0, 0);
  expect(new Set(none.map(({ ph }) => ph))).toEqual(new Set(['M']));
  // The reads of a shared device are an upper bound: no chain.
  const shared = traceEventsOf({ ...overlapping, serialReads: null }, 0, 0);
  expect(of(shared, categories.device).filter(({ ph }) => ph !== 'X')).toEqual([]);
  expect(of(shared, categories.device)[0]?.args).not.toHaveProperty('placeInChain');
});

test('system calls are slices of their own threads', () => {
  const call = {
    name: 'pread64',
    startMs: 1,
    endMs: 2,
    file: 'abc_0',
    kind: 'cache',
    bytes: 4096,
    offset: 0,
  } as const;
  const syscalls = [call, { ...call, startMs: 1.5, error: 'EIO', bytes: null }];
  const events = of(traceEventsOf({ ...overlapping, syscalls }, 0, 0), categories.syscall);
  expect(events.map(({ name, tid, args }) => [name, tid, args?.['error']])).toEqual([
    ['pread64', 1000, undefined],
    ['pread64', 1001, 'EIO'],
  ]);
});
