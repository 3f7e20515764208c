import type { DueRequest } from '@cachescope/model/reclaim/traffic.ts';
import { expect, test } from 'vitest';
import { PageLoad } from './page-load.ts';
import type { PageAnswer, PageBatch, PageOrder } from './page-task.ts';
import type { AttackWindow } from './system.ts';

/** Ten requests a second, each for 100 bytes and with its own key. */
function* requests(count: number): Generator<DueRequest, void> {
  for (let number = 0; number < count; number++)
    yield { number, dueMs: number * 100, key: `n${number}`, bytes: 100 };
}

function opened(count: number, windowMs = 1000) {
  const windows: AttackWindow[] = [];
  const answered: [path: string, at: number][] = [];
  const told = { began: 0, stop: false };
  const load = new PageLoad(
    {
      baseUrl: 'https://localhost:1',
      windowMs,
      requests: requests(count),
      pathOf: ({ key }) => `/items/${key}`,
      answered: (path, _answer, at) => answered.push([path, at]),
    },
    {
      began: (epochMs) => (told.began = epochMs),
      window: (window) => windows.push(window),
      shouldStop: () => told.stop,
    },
  );
  return { load, windows, answered, told };
}

const ready = { kind: 'ready' } as const;

function right(number: number, endMs: number, more: Partial<PageAnswer> = {}): PageAnswer {
  const answer = { status: 200, error: null, bodyBytes: 100, encodedBytes: 90, fromCache: false };
  return { number, endMs, ...answer, ...more };
}

function batch(part: Partial<PageBatch>, isDone = false) {
  const none = { firstNumber: 0, sentMs: [], answers: [], elapsedMs: 0 };
  return { kind: 'batch', isDone, batch: { ...none, ...part } } as const;
}

function targetsOf(order: PageOrder): unknown {
  return 'targets' in order ? order.targets.map(([dueMs]) => dueMs) : order.kind;
}

test('the page gets the requests of three batches ahead, and learns which is the last', () => {
  const { load, told } = opened(45);
  const first = load.answer(ready);
  expect(first).toMatchObject({ kind: 'attack', isLast: false });
  expect(targetsOf(first)).toHaveLength(30);
  expect('attack' in first && first.attack).toMatchObject({ startsAt: told.began, batchMs: 1000 });
  // Chromium holds requests back from 1,024 in flight on.
  expect('attack' in first && first.attack.mostInFlight).toBeLessThan(1024);
  const second = load.answer(batch({ elapsedMs: 1000 }));
  expect(targetsOf(second)).toEqual([3000, 3100, 3200, 3300, 3400, 3500, 3600, 3700, 3800, 3900]);
  expect(load.answer(batch({ elapsedMs: 2000 }))).toMatchObject({ kind: 'targets', isLast: true });
  load.stop();
});

test('a window counts the requests sent and ended, with latency from the due time', () => {
  const { load, windows, answered, told } = opened(3);
  load.answer(ready);
  const answers = [
    right(0, 40, { fromCache: true }),
    right(1, 130, { bodyBytes: 99 }),
    right(2, 250, { status: 0, error: 'TypeError: Failed to fetch', encodedBytes: null }),
  ];
  load.answer(batch({ sentMs: [1, 110, 230], answers, elapsedMs: 1001 }));
  const [window] = windows;
  expect(window).toMatchObject({ atMs: 1001, spanMs: 1001 });
  expect(window?.load).toMatchObject({
    due: 3,
    sent: 3,
    answered: 2,
    failed: 1,
    hits: 1,
    bytesIn: 180,
    succeeded: 1,
    inFlight: 0,
    errors: { 'wrong body': 1, 'TypeError: Failed to fetch': 1 },
    latency: { count: 2, minMs: 30, maxMs: 40 },
    lateness: { count: 3, minMs: 1, maxMs: 30 },
  });
  expect(answered).toEqual([['/items/n0', told.began + 40]]);
  load.stop();
});

test('a response that arrives in a later window is counted there', () => {
  const { load, windows } = opened(30);
  load.answer(ready);
  load.answer(batch({ sentMs: [0, 100], answers: [right(1, 900)], elapsedMs: 1000 }));
  load.answer(batch({ firstNumber: 2, sentMs: [200], answers: [right(0, 1900)], elapsedMs: 2000 }));
  expect(
    windows.map(({ load: { sent, answered, inFlight } }) => [sent, answered, inFlight]),
  ).toEqual([
    [2, 1, 1],
    [1, 1, 1],
  ]);
  expect(windows[1]?.load.latency.maxMs).toBe(1900);
  load.stop();
});

test('a long window takes several batches', () => {
  const { load, windows } = opened(100, 3000);
  load.answer(ready);
  for (const elapsedMs of [1000, 2010, 3005, 4002]) load.answer(batch({ elapsedMs }));
  expect(windows.map(({ atMs, spanMs }) => [atMs, spanMs])).toEqual([[3005, 3005]]);
  load.stop();
});

test('a dropped request counts as due and not as sent', () => {
  const { load, windows } = opened(3);
  load.answer(ready);
  load.answer(batch({ sentMs: [0, null, 200], elapsedMs: 1000 }));
  expect(windows[0]?.load).toMatchObject({ due: 3, sent: 2, dropped: 1, inFlight: 2 });
  load.stop();
});

test('an interrupt stops the page, and its last batch ends the load', async () => {
  const { load, windows, told } = opened(100);
  load.answer(ready);
  told.stop = true;
  expect(load.answer(batch({ elapsedMs: 1000 }))).toEqual({ kind: 'stop' });
  expect(load.answer(batch({ elapsedMs: 1200 }, true))).toEqual({ kind: 'end' });
  await load.done;
  expect(windows.map(({ spanMs }) => spanMs)).toEqual([1000, 200]);
});

test('the failure of a page is reported with its reason', async () => {
  const { load } = opened(3);
  load.answer(ready);
  expect(load.answer({ kind: 'failed', reason: 'out of memory' })).toEqual({ kind: 'end' });
  await expect(load.done).rejects.toMatchObject({
    code: 'CS_RECLAIM_PAGE',
    message: expect.stringContaining('out of memory'),
  });
});
