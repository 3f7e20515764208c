import type { Resource } from '@cachescope/model/load/load.ts';
import { expect, test } from 'vitest';
import { finishOf, resourceRows } from './rows.ts';

const origin = 'http://127.0.0.1:1';

function use(path: string, change: Partial<Resource> = {}): Resource {
  return {
    sequence: 0,
    url: origin + path,
    method: 'GET',
    status: 200,
    type: 'script',
    mimeType: null,
    initiatorType: 'script',
    context: 'document',
    coding: null,
    startMs: 10,
    durationMs: 5,
    responseStartMs: 12,
    transferredBytes: null,
    encodedBytes: null,
    decodedBytes: 100,
    storedBytes: null,
    isPreload: false,
    evidence: {},
    ...change,
  };
}

const log = (path: string) => ({ path, contentCoding: 'br', bodyBytes: 40 }) as const;

test('a row combines what the page measured with the requests that reached the origin', () => {
  const [first, second] = resourceRows(
    ['/a', '/b'],
    origin,
    { resources: [use('/a'), use('/other')] },
    [log('/a'), log('/favicon.ico'), log('/a')],
  );
  expect(first).toEqual({
    place: 0,
    source: 'unknown',
    startMs: 10,
    responseStartMs: 12,
    endMs: 15,
    bodyBytes: 100,
    requests: 2,
    sentBytes: 80,
    coding: 'br',
  });
  expect(second).toMatchObject({ place: 1, source: null, endMs: null, requests: 0, coding: null });
});

test('the bytes sent are unknown while a request for the resource is unanswered', () => {
  const requests = [log('/a'), { ...log('/a'), bodyBytes: null }, log('/b')];
  const rows = resourceRows(['/a', '/b'], origin, { resources: [] }, requests);
  expect(rows.map(({ sentBytes }) => sentBytes)).toEqual([null, 40]);
});

test('of several uses of a URL, the first complete one is used', () => {
  const resources = [use('/a', { durationMs: null }), use('/a', { startMs: 20 }), use('/a')];
  expect(resourceRows(['/a'], origin, { resources }, [])[0]?.startMs).toBe(20);
});

test('a document ends with its last byte, not with its load event', () => {
  const timing = { startTime: 0, duration: 300, responseEnd: 55 };
  const document = use('/a', { startMs: 0, durationMs: 300, evidence: { page: { timing } } });
  expect(resourceRows(['/a'], origin, { resources: [document] }, [])[0]?.endMs).toBe(55);
});

test('the last resource ends the load, and a missing resource leaves the end unknown', () => {
  const rows = resourceRows(['/a', '/b'], origin, { resources: [use('/a'), use('/b')] }, []);
  expect(finishOf(rows)).toBe(15);
  expect(finishOf(resourceRows(['/a', '/c'], origin, { resources: [use('/a')] }, []))).toBeNull();
  expect(finishOf([])).toBeNull();
});
