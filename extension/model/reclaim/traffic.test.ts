import { expect, test } from 'vitest';
import { readHarRequests } from '../har/requests.ts';
import { madeUpReclaimPlan } from '../fixtures/reclaim.ts';
import { itemPath, plannedRequests, trafficOf } from './traffic.ts';
import { replayed } from './recorded-request.ts';

test('425 requests/s for 20 minutes are the 510,000 of the BBC report, the last one 2.35 ms before the end', () => {
  const plan = madeUpReclaimPlan({ rateHz: 425, timeMs: 1_200_000 });
  expect(plannedRequests(plan)).toBe(510_000);
  const [first, second] = trafficOf(plan);
  expect(first).toEqual({ number: 0, dueMs: 0, key: 'n0', bytes: 1024 });
  expect(second?.dueMs).toBeCloseTo(1000 / 425, 12);
  expect(plannedRequests({ ...plan, rateHz: 10, timeMs: 100 })).toBe(1);
});

test('the same seed draws the same keys, another seed different ones', () => {
  const traffic = { kind: 'zipf', skew: 0.8, population: 1000, wantedHitRate: null } as const;
  const keys = (seed: number) =>
    [...trafficOf(madeUpReclaimPlan({ traffic, seed, timeMs: 1000 }))].map(({ key }) => key);
  expect(keys(1)).toEqual(keys(1));
  expect(keys(1)).not.toEqual(keys(2));
});

test('a replay keeps the intervals of the log, divided by its speed, and gives each URL one key', () => {
  const recorded = [
    { atMs: 100, url: '/a', bytes: 10 },
    { atMs: 300, url: '/b', bytes: null },
    { atMs: 500, url: '/a', bytes: 12 },
    { atMs: 1100, url: '/c', bytes: 1 },
  ];
  const options = { speed: 2, share: 1, seed: 1, timeMs: 400 };
  const requests = replayed(recorded, options);
  expect(requests).toEqual([
    { dueMs: 0, key: 'u0', bytes: 10 },
    { dueMs: 100, key: 'u1', bytes: null },
    { dueMs: 200, key: 'u0', bytes: 12 },
  ]);
  const counts = { recorded: 4, planned: 3, otherMethods: 0, malformed: 0 };
  const about = { file: 'log', format: 'common log', speed: 2, share: 1, ...counts } as const;
  const plan = madeUpReclaimPlan({ traffic: { kind: 'replay', ...about }, payloadBytes: null });
  expect(plannedRequests(plan)).toBe(3);
  expect([...trafficOf(plan, requests)].map(({ bytes }) => bytes)).toEqual([10, 0, 12]);
});

test('a share of a replay has about that size, and is the same with the same seed', () => {
  const recorded = Array.from({ length: 10_000 }, (_, atMs) => ({
    atMs,
    url: `/${atMs}`,
    bytes: 1,
  }));
  const options = { speed: 1, share: 0.5, seed: 5, timeMs: Infinity };
  const half = replayed(recorded, options);
  // Four standard deviations of 50 each.
  expect(Math.abs(half.length - 5000)).toBeLessThan(200);
  expect(replayed(recorded, options)).toEqual(half);
});

test('an item is requested by its key, size and coding', () => {
  const plan = madeUpReclaimPlan({ coding: 'gzip', originDelayMs: 1.5 });
  expect(itemPath(plan, { key: 'z7', bytes: 300 })).toBe(
    '/reclaim/items/z7?bytes=300&coding=gzip&delay=1.5',
  );
});

test('a HAR gives its GET requests sorted by time; invalid entries are counted', () => {
  const entry = (startedDateTime: string, method = 'GET', size = 5) => ({
    startedDateTime,
    request: { method, url: `https://a.example/${startedDateTime}` },
    response: { status: 200, content: { size } },
  });
  const read = readHarRequests('x.har', {
    log: {
      version: '1.2',
      entries: [
        entry('2026-11-20T23:00:01.250Z'),
        entry('2026-11-20T23:00:00.000Z', 'GET', -1),
        entry('2026-11-20T23:00:00.000Z', 'POST'),
        { startedDateTime: 'yesterday' },
      ],
    },
  });
  expect(read).toMatchObject({
    value: {
      format: 'har',
      requests: [
        { atMs: 0, bytes: null },
        { atMs: 1250, bytes: 5 },
      ],
      otherMethods: 1,
      malformed: 1,
    },
  });
  expect(readHarRequests('x.har', { log: 1 })).toHaveProperty('problems');
});
