import type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import { expect, test } from 'vitest';
import { loadPhases } from './phase.ts';

const network: Attribution = { source: 'network', confidence: 'certain', reasons: [] };
const timing: ResourceTiming = {
  startTime: 100,
  duration: 50,
  workerStart: 0,
  requestStart: 110,
  responseStart: 130,
  responseEnd: 150,
};
const steps = (change: Partial<ResourceTiming>, source = 'network') =>
  loadPhases({ ...timing, ...change }, { ...network, source }).map(
    ({ id, startMs, durationMs }) => [id, startMs, durationMs],
  );

test('the steps cover the whole without a gap', () => {
  expect(steps({})).toEqual([
    ['queueing', 0, 10],
    ['waiting', 10, 20],
    ['download', 30, 20],
  ]);
  expect(steps({ workerStart: 105 })).toEqual([
    ['queueing', 0, 5],
    ['worker', 5, 5],
    ['waiting', 10, 20],
    ['download', 30, 20],
  ]);
});

test('what the browser did not write is no step of 0 ms', () => {
  expect(steps({ responseStart: 0, requestStart: 0 })).toEqual([]);
  expect(steps({ duration: 0 })).toEqual([]);
});

test('a response that began before its use runs not backwards', () => {
  for (const [, startMs, durationMs] of steps({ requestStart: 60, responseStart: 90 })) {
    expect(startMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

test('a cache is waited for, not a server', () => {
  const titles = (source: string) =>
    loadPhases(timing, { ...network, source }).map(({ title }) => title);
  expect(titles('disk')).toContain('Waiting for the cache');
  expect(titles('network')).toContain('Waiting for server response');
});
