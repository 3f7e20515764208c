import { attribute } from '@cachescope/model/attribution/cache-source.ts';
import type { Evidence } from '@cachescope/model/attribution/evidence.ts';
import type { ResourceTiming } from '@cachescope/model/attribution/resource-timing.ts';
import type { Attribution } from '@cachescope/model/run/sample.ts';
import { expect, test } from 'vitest';
import { madeUpLoad } from '@cachescope/model/fixtures/made-up-load.ts';
import { hidden, inMemory, seen, webRequest } from '@cachescope/model/fixtures/cache-source.ts';
import { loadPhases, whyNoPhases } from './phase.ts';
import { phasesSection } from './phases-section.ts';

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

test('the phases cover the whole request without a gap', () => {
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

test('the total and the scale of a document are those of its phases, without the load event', () => {
  const document = { ...timing, duration: 1480, initiatorType: 'navigation' };
  const [use] = madeUpLoad({ count: 1 }).resources;
  if (!use) throw new Error('no resource');
  const resource = { ...use, evidence: { page: { timing: document } } };
  const text = JSON.stringify(phasesSection({ resource, attribution: network }));
  expect(text).toContain('50 ms');
  expect(text).toContain('left: 60%; width: max(1px, 40%)');
  expect(text).not.toContain('1,480 ms');
});

test('the wait is named by what was waited for', () => {
  const titleOf = (source: string, detail?: string) =>
    loadPhases(timing, { ...network, source, ...(detail && { detail }) })[1]?.title;
  expect(titleOf('disk')).toBe('Waiting for the cache');
  expect(titleOf('prefetch', 'link')).toBe('Waiting for the cache');
  expect(titleOf('prefetch', 'speculation')).toBe('Waiting for server response');
  expect(titleOf('service-worker', 'cache-storage')).toBe('Waiting for the service worker');
});

test('times that the browser did not write give no phases of 0 ms', () => {
  expect(steps({ responseStart: 0, requestStart: 0 })).toEqual([]);
  expect(steps({ duration: 0 })).toEqual([]);
});

test('a response that started before its use gives no negative phases', () => {
  for (const [, startMs, durationMs] of steps({ requestStart: 60, responseStart: 90 })) {
    expect(startMs).toBeGreaterThanOrEqual(0);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
});

test('the waiting phase names the cache for a disk hit and the server otherwise', () => {
  const titles = (source: string) =>
    loadPhases(timing, { ...network, source }).map(({ title }) => title);
  expect(titles('disk')).toContain('Waiting for the cache');
  expect(titles('network')).toContain('Waiting for server response');
});

const refused = {
  ...hidden({ duration: 8 }),
  isSameOrigin: true,
  isRedirected: false,
  hasServiceWorker: false,
};
const error = webRequest({ error: 'net::ERR_CONNECTION_REFUSED', statusCode: 0 });

test.each<[string, Evidence, string]>([
  ['blocked', { page: { ...hidden({ duration: 0 }), blockedBy: 'script-src' } }, 'was blocked'],
  ['failed', { page: refused, webRequest: error }, 'the request failed'],
  ['blocked or failed', { page: refused }, 'reported no times'],
  ['memory', { page: seen({ ...inMemory, initiatorType: 'script' }) }, 'renderer’s memory'],
  ['network', { page: hidden(), webRequest: webRequest() }, 'hides its phases.'],
  ['unknown', { page: hidden() }, 'hides its phases, or there was no response.'],
])('the reason for missing phases agrees with the source: %s', (_, evidence, words) => {
  const entry = evidence.page?.timing;
  if (!entry) throw new Error('no entry');
  expect(whyNoPhases(entry, attribute(evidence))).toContain(words);
});
