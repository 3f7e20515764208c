import { expect, test } from 'vitest';
import { TimeHistogram } from './histogram.ts';
import { reclaimSeries, timeSeries } from './series.ts';
import { LoadRecorder } from './recorder.ts';
import { threadStates } from './usage.ts';
import type { ReclaimWindow, SystemWindow, ThreadReading } from './window.ts';

const nothing: SystemWindow = {
  entries: null,
  bytes: null,
  mostEntries: null,
  mostBytes: null,
  overLimitMs: null,
  processes: [],
  threads: [],
  device: null,
  eventLoop: null,
};

const { bytes, device: deviceIo, latency, rate } = reclaimSeries([]);

function window(
  atMs: number,
  spanMs: number,
  system: Partial<SystemWindow> = {},
  load: Partial<ReclaimWindow['load']> = {},
): ReclaimWindow {
  return {
    kind: 'window',
    sequence: 0,
    atMs,
    spanMs,
    load: { ...new LoadRecorder().take(null), ...load },
    system: { ...nothing, ...system },
  };
}

function thread(
  type: string,
  name: string,
  userMs: number,
  more: Partial<ThreadReading> = {},
): ThreadReading {
  return { type, thread: name, threads: 1, userMs, systemMs: 0, waitingMs: 0, states: {}, ...more };
}

test('rates are per second, for any length of a window; without failures there is no line for them', () => {
  const load = { sent: 850, answered: 800, hits: 200 };
  const series = timeSeries([window(2000, 2000, {}, load)], rate);
  expect(series).toEqual([
    { name: 'sent', points: [{ x: 2, y: 425 }] },
    { name: 'answered', points: [{ x: 2, y: 400 }] },
    { name: 'from the cache', points: [{ x: 2, y: 100 }] },
  ]);
});

test('failures and dropped requests have lines only if there are any', () => {
  const windows = [
    window(1000, 1000),
    window(2000, 1000, {}, { failed: 3, dropped: 5 }),
    window(3000, 1000),
  ];
  const valuesOf = (name: string) =>
    timeSeries(windows, reclaimSeries(windows).rate)
      .find((series) => series.name === name)
      ?.points.map(({ y }) => y);
  // Known zeros: a line over them would show failures that did not happen.
  expect(valuesOf('failed')).toEqual([0, 3, 0]);
  expect(valuesOf('dropped')).toEqual([0, 5, 0]);
});

test('a window of a few ms has no rate', () => {
  const windows = [window(1000, 1000, {}, { sent: 10 }), window(1070, 70, {}, { sent: 0 })];
  expect(timeSeries(windows, rate)[0]?.points.map(({ y }) => y)).toEqual([10, null]);
});

test('the sample before the load is not a window', () => {
  expect(timeSeries([window(0, 0, { bytes: 5 })], bytes)).toEqual([]);
});

test('latencies are computed from the histogram', () => {
  const histogram = new TimeHistogram();
  for (let ms = 1; ms <= 100; ms++) histogram.add(ms);
  const series = timeSeries([window(1000, 1000, {}, { latency: histogram.saved() })], latency);
  const value = (name: string) => series.find((each) => each.name === name)?.points[0]?.y ?? 0;
  expect(value('median') / 50).toBeCloseTo(1, 1);
  expect(value('99 %') / 99).toBeCloseTo(1, 1);
  expect(value('longest')).toBe(100);
});

test('memory has a line per type, the largest first; unknown is a gap', () => {
  const process = (type: string, pssBytes: number | null) => ({
    type,
    processes: 1,
    pssBytes,
    openFiles: 1,
  });
  const windows = [
    window(1000, 1000, {
      processes: [process('origin', 1024 ** 2), process('renderer', 8 * 1024 ** 2)],
    }),
    window(2000, 1000, { processes: [process('origin', null), process('renderer', null)] }),
  ];
  expect(timeSeries(windows, reclaimSeries(windows).memory)).toEqual([
    {
      name: 'renderer',
      points: [
        { x: 1, y: 8 },
        { x: 2, y: null },
      ],
    },
    {
      name: 'origin',
      points: [
        { x: 1, y: 1 },
        { x: 2, y: null },
      ],
    },
  ]);
});

test('of many types, five have lines and the others are summed', () => {
  const threads = Array.from({ length: 9 }, (_, place) =>
    thread(`type ${place}`, 'main', 10 * (9 - place)),
  );
  const windows = [window(1000, 1000, { threads })];
  const series = timeSeries(windows, reclaimSeries(windows).cpu);
  expect(series.map(({ name }) => name)).toEqual([
    'type 0',
    'type 1',
    'type 2',
    'type 3',
    'type 4',
    '4 others',
  ]);
  // Types 5 to 8 took 40, 30, 20 and 10 ms of a second.
  expect(series.at(-1)?.points[0]?.y).toBe(10);
});

test('device I/O is in MiB per second', () => {
  const device = { reads: 1, readBytes: 4 * 1024 ** 2, writes: 1, writtenBytes: 1024 ** 2 };
  const series = timeSeries([window(2000, 2000, { device })], deviceIo);
  expect(series.map(({ points }) => points[0]?.y)).toEqual([2, 0.5]);
});

test("thread states are shares of the run's time, the busiest first", () => {
  const windows = [
    window(0, 0, { threads: [thread('origin', 'main', 5000)] }),
    window(1000, 1000, {
      threads: [
        thread('origin', 'main', 100, { systemMs: 100, waitingMs: 50 }),
        thread('browser', 'pool', 600, { threads: 3, states: { D: 1, S: 2 }, waitingMs: null }),
      ],
    }),
    window(2000, 1000, { threads: [thread('browser', 'pool', 400, { threads: 2 })] }),
  ];
  expect(threadStates(windows)).toEqual([
    {
      type: 'browser',
      thread: 'pool',
      threads: 3,
      userShare: 0.5,
      systemShare: 0,
      waitingShare: null,
      deviceShare: 0.5,
    },
    {
      type: 'origin',
      thread: 'main',
      threads: 1,
      userShare: 0.05,
      systemShare: 0.05,
      waitingShare: 0.025,
      deviceShare: 0,
    },
  ]);
  expect(threadStates([])).toEqual([]);
});
