import { RequestLog } from '@cachescope/origin/request-log.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { EntryCount } from './entry-count.ts';

afterEach(() => void vi.useRealTimers());

function arrive(log: RequestLog, path: string): void {
  log.append({
    receivedAt: '2026-11-21T00:00:00.000Z',
    method: 'GET',
    path,
    host: '127.0.0.1',
    acceptEncoding: null,
    availableDictionary: null,
    dictionaryId: null,
    secFetchSite: null,
    secFetchMode: null,
    secFetchDest: null,
    userAgent: null,
  });
}

test('requests for resources are counted from the start on; pages, tasks and clearing are not', () => {
  const log = new RequestLog();
  arrive(log, '/micro/entry/50?key=1');
  using count = new EntryCount(log);
  const own = ['/micro/entry/50?key=2', '/micro/entry/50?key=2', '/micro/script/50?key=3'];
  for (const path of [...own, '/micro/clear', '/micro/tasks/one', '/micro/page/one'])
    arrive(log, path);
  expect(count.take()).toEqual({ requests: 3, distinct: 2 });
});

test('a slice with more requests than the log keeps is still counted', () => {
  vi.useFakeTimers();
  const log = new RequestLog(100);
  using count = new EntryCount(log);
  for (let second = 0; second < 60; second++) {
    for (let request = 0; request < 5; request++) arrive(log, `/micro/entry/50?key=${second}`);
    vi.advanceTimersByTime(1000);
  }
  expect(log.oldest()).toBeGreaterThan(0);
  expect(count.take()).toEqual({ requests: 300, distinct: 60 });
});

test('requests that the log dropped uncounted cause an error', () => {
  vi.useFakeTimers();
  const log = new RequestLog(100);
  using count = new EntryCount(log);
  for (let request = 0; request < 200; request++) arrive(log, '/micro/entry/50?key=1');
  vi.advanceTimersByTime(10_000);
  expect(() => count.take()).toThrow(/the log keeps only/);
});
