import { expect, test } from 'vitest';
import { type ArrivedRequest, RequestLog } from './request-log.ts';

const arrived: ArrivedRequest = {
  receivedAt: '2026-01-01T00:00:00.000Z',
  method: 'GET',
  path: '/page',
  host: '127.0.0.1',
  acceptEncoding: null,
  availableDictionary: null,
  dictionaryId: null,
  secFetchSite: null,
  secFetchMode: null,
  secFetchDest: null,
  userAgent: null,
};

test('since() returns the requests that arrived after the mark, including unanswered ones', () => {
  const log = new RequestLog();
  log.append(arrived);
  const mark = log.mark();
  expect(log.since(mark)).toEqual([]);
  const entry = log.append({ ...arrived, path: '/warm-up' });
  expect(log.since(mark)).toEqual([
    {
      ...arrived,
      path: '/warm-up',
      sequence: 1,
      status: null,
      contentCoding: null,
      bodyBytes: null,
      finishedAt: null,
    },
  ]);
  entry.status = 200;
  expect(log.since(mark)[0]?.status).toBe(200);
  expect(log.since(0).map(({ sequence }) => sequence)).toEqual([0, 1]);
});

test('old requests are dropped, and a mark among them is refused', () => {
  const log = new RequestLog(10);
  for (let count = 0; count < 25; count++) log.append(arrived);
  expect(log.mark()).toBe(25);
  const kept = log.since(log.oldest());
  expect(kept.length).toBeLessThanOrEqual(10);
  expect(kept.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: kept.length }, (_, index) => log.oldest() + index),
  );
  expect(kept.at(-1)?.sequence).toBe(24);
  expect(() => log.since(log.oldest() - 1)).toThrow(/the log keeps only/);
});

test('first() settles with the first matching request, present or future', async () => {
  const log = new RequestLog();
  const there = log.append(arrived);
  expect(await log.first(0, ({ path }) => path === '/page')).toBe(there);
  const mark = log.mark();
  const waiting = log.first(mark, ({ path, status }) => path === '/page' && status === 304);
  log.append({ ...arrived, path: '/other' });
  const entry = log.append(arrived);
  entry.status = 304;
  log.changed();
  expect(await waiting).toBe(entry);
});

test('client-chosen texts are truncated, and their total size is limited', () => {
  const log = new RequestLog();
  const before = process.memoryUsage().heapUsed;
  // 60,000 requests with 15 KB of URL are 900 MB.
  for (let count = 0; count < 60_000; count++)
    log.append({ ...arrived, path: `/${count}${'x'.repeat(15_000)}` });
  const kept = log.since(log.oldest());
  expect(kept.at(-1)?.path).toHaveLength(2048);
  expect(kept.length * 2048).toBeLessThan(64 * 1024 ** 2);
  expect(JSON.stringify(kept).length).toBeLessThan(80 * 1024 ** 2);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(400e6);
});

test('completed entries count like unanswered ones: the limit stays the same', () => {
  const log = new RequestLog();
  const path = 'x'.repeat(2048);
  const complete = () => {
    const finishedAt = arrived.receivedAt;
    Object.assign(log.append({ ...arrived, path }), { contentCoding: 'gzip', finishedAt });
  };
  const mostKept = (appended: number) => {
    let most = 0;
    for (let count = 0; count < appended; count++) {
      complete();
      most = Math.max(most, log.mark() - log.oldest());
    }
    return most;
  };
  const first = mostKept(60_000);
  mostKept(200_000);
  expect(mostKept(60_000)).toBe(first);
});
