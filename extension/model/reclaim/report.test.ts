import { expect, test } from 'vitest';
import { madeUpHistogram, madeUpLoadWindow } from '../fixtures/reclaim.ts';
import { LoadRecorder } from './recorder.ts';
import { loadReport } from './report.ts';
import type { LoadWindow } from './window.ts';

test('the report has the values of the first load of the BBC report', () => {
  // 510,000 requests at 425 a second: sent from 0 to 509,999/425 s, the last answered 2.307828 ms later.
  const window = {
    ...madeUpLoadWindow(0, 1),
    due: 510_000,
    sent: 510_000,
    answered: 510_000,
    succeeded: 510_000,
    bytesIn: 522_240_000,
    statuses: { 200: 510_000 },
    firstSentMs: 0,
    lastSentMs: (509_999 * 1000) / 425,
    lastEndMs: (509_999 * 1000) / 425 + 2.307_828,
  };
  const report = loadReport([window], 510_000);
  expect(report.attackMs / 1000).toBeCloseTo(19 * 60 + 59.997_6, 3);
  expect(report.waitMs).toBeCloseTo(2.307_828, 6);
  expect(report.rateHz?.toFixed(2)).toBe('425.00');
  expect(report.throughputHz?.toFixed(2)).toBe('425.00');
  expect(report).toMatchObject({ success: 1, achieved: 1, limitedBy: null });
});

test('a day of short windows is summed up', () => {
  const windows = Array<LoadWindow>(200_000).fill(madeUpLoadWindow(0, 1));
  expect(loadReport(windows, 1).requests).toBe(200_000 * madeUpLoadWindow(0, 1).sent);
});

test('windows are added up: counts, status codes, errors, latencies', () => {
  const good = { ...madeUpLoadWindow(0, 1), latency: madeUpHistogram([1, 2, 3]) };
  const bad = {
    ...madeUpLoadWindow(1, 1),
    sent: 10,
    due: 10,
    answered: 8,
    failed: 2,
    succeeded: 7,
    hits: 4,
    statuses: { 200: 7, 503: 1 },
    errors: { ECONNRESET: 2 },
    latency: madeUpHistogram([100]),
  };
  const report = loadReport([good, bad], 110);
  expect(report.requests).toBe(110);
  expect(report.success).toBeCloseTo(107 / 110, 12);
  expect(report.statuses).toEqual({ 0: 2, 200: 107, 503: 1 });
  expect(report.errors).toEqual({ ECONNRESET: 2 });
  expect(report.hitRate).toBeCloseTo(4 / 108, 12);
  expect(report.latencies).toMatchObject({ mean: 26.5, max: 100 });
  expect(report.totalMs).toBe(1990 + 2);
});

test('reports the limit of the load: a late generator, unsent requests, too many requests in flight', () => {
  const window = madeUpLoadWindow(0, 1);
  expect(loadReport([window], 100).limitedBy).toBeNull();
  const late = { ...window, lateness: madeUpHistogram([0.5, 1.5, 2]) };
  expect(loadReport([late], 100).limitedBy).toBe('generator');
  expect(loadReport([window], 101).limitedBy).toBe('generator');
  // A run that was stopped is held to what was due.
  expect(loadReport([window], 101, { stopped: true }).limitedBy).toBeNull();
  expect(loadReport([{ ...window, dropped: 1, due: 101 }], 101).limitedBy).toBe('system');
});

test('requests in flight have not failed', () => {
  const window = { ...madeUpLoadWindow(0, 1), answered: 97, succeeded: 97, inFlight: 3 };
  expect(loadReport([window], 100)).toMatchObject({ success: 1, inFlight: 3, requests: 100 });
});

test('without a request the values are unknown, not 0', () => {
  const report = loadReport([], 100);
  expect(report).toMatchObject({
    requests: 0,
    rateHz: null,
    throughputHz: null,
    success: null,
    hitRate: null,
  });
  expect(report.latencies.p99).toBeNull();
});

test('a recorder counts each request once, from its scheduled time', () => {
  const recorder = new LoadRecorder();
  const ended = { status: 200, bytes: 10, hit: true, error: null };
  recorder.sent(0, 0.25);
  recorder.sent(10, 10.5);
  recorder.dropped();
  recorder.ended({ ...ended, dueMs: 0, sentMs: 0.25, endMs: 5 });
  const first = recorder.take(0.2);
  expect(first).toMatchObject({ due: 3, sent: 2, dropped: 1, answered: 1, inFlight: 1, hits: 1 });
  expect(first.latency).toMatchObject({ count: 1, minMs: 5 });
  expect(first.service).toMatchObject({ minMs: 4.75 });
  expect(first.lateness).toMatchObject({ count: 2, minMs: 0.25, maxMs: 0.5 });
  recorder.sent(20, 20);
  recorder.ended({ ...ended, dueMs: 10, sentMs: 10.5, endMs: 30, hit: null });
  recorder.ended({
    dueMs: 20,
    sentMs: 20,
    endMs: 31,
    status: 0,
    bytes: null,
    hit: null,
    error: 'ECONNRESET',
  });
  const second = recorder.take(null);
  expect(second).toMatchObject({ sent: 1, answered: 1, failed: 1, succeeded: 1, inFlight: 0 });
  // Without a report on the second answer the number of hits is unknown.
  expect(second.hits).toBeNull();
  expect(second.errors).toEqual({ ECONNRESET: 1 });
  expect(second.latency.count).toBe(1);
});

test('a wrong body is a response, but not a success', () => {
  const recorder = new LoadRecorder();
  recorder.sent(0, 0);
  recorder.ended({
    dueMs: 0,
    sentMs: 0,
    endMs: 1,
    status: 200,
    bytes: 3,
    hit: false,
    error: 'wrong body',
  });
  expect(recorder.take(0)).toMatchObject({
    answered: 1,
    succeeded: 0,
    failed: 0,
    errors: { 'wrong body': 1 },
  });
});
