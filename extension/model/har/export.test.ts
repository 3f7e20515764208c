import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Evidence } from '../attribution/evidence.ts';
import { arbitraryLoad } from '../fixtures/arbitrary-load.ts';
import { har, onDisk, seen } from '../fixtures/cache-source.ts';
import { harProblems } from '../fixtures/har-problems.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import type { Resource } from '../load/load.ts';
import { harOf } from './export.ts';
import { readHar } from './import.ts';

test('exported loads are imported unchanged, with any content', () => {
  fc.assert(
    fc.property(fc.array(arbitraryLoad, { minLength: 1, maxLength: 3 }), (loads) => {
      const json: unknown = JSON.parse(JSON.stringify(harOf(loads, '0.1.0')));
      expect(readHar({ name: 'x.har', json })).toEqual({ value: loads });
    }),
  );
});

test('the rows of an archive whose entries were deleted are numbered again', () => {
  const archive = harOf([madeUpLoad({ count: 4 })], '0.1.0');
  archive.log.entries.splice(1, 1);
  const read = readHar({ name: 'x.har', json: JSON.parse(JSON.stringify(archive)) });
  const [load] = 'value' in read ? read.value : [];
  expect(load?.resources.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
});

test('any loads give a valid HAR 1.2', () => {
  fc.assert(
    fc.property(arbitraryLoad, (load) => {
      expect(harProblems(harOf([load], '0.1.0'))).toEqual([]);
    }),
  );
});

/** A load of one resource with this change. */
function loadOf(change: Partial<Resource>) {
  const load = madeUpLoad({ count: 1 });
  return { ...load, resources: load.resources.map((resource) => ({ ...resource, ...change })) };
}

test.each([
  [{ method: null }, { method: null }],
  [
    { durationMs: null, responseStartMs: null },
    { durationMs: null, responseStartMs: null },
  ],
  [
    { durationMs: 5, responseStartMs: null },
    { durationMs: 5, responseStartMs: null },
  ],
])('HAR has no value for %j, so a comment says it', (change, expected) => {
  const har = harOf([loadOf(change)], '0.1.0');
  expect(harProblems(har)).toEqual([]);
  const text = JSON.stringify(har, (key, value: unknown) =>
    key === '_cachescope' ? undefined : value,
  );
  const read = readHar({ name: 'x.har', json: JSON.parse(text) });
  expect('value' in read && read.value[0]?.resources).toMatchObject([expected]);
});

test('the time before the response is divided only where the page reported when the request was sent', () => {
  const times = { startMs: 10, responseStartMs: 40, durationMs: 50 };
  const sent = { page: seen({ startTime: 10, requestStart: 25 }) };
  const timingsOf = (evidence: Evidence) =>
    harOf([loadOf({ ...times, evidence })], '0.1.0').log.entries[0]?.timings;
  expect(timingsOf(sent)).toEqual({ blocked: 15, send: 0, wait: 15, receive: 20 });
  expect(timingsOf({ devtools: har() })).toEqual({
    send: 0,
    wait: 30,
    receive: 20,
    comment: expect.stringContaining('When the request was sent is unknown'),
  });
});

test('a known priority and initiator are written as DevTools writes them', () => {
  const initiator = { type: 'script', stack: { callFrames: [{ url: 'https://a.example/a.js' }] } };
  const [entry] = harOf([loadOf({ priority: 'High', initiator })], '0.1.0').log.entries;
  expect(entry).toMatchObject({ _priority: 'High', _initiator: initiator });
});

test.each<[string, Evidence, number]>([
  ['a response from the network', { page: seen() }, 704],
  ['a revalidated response', { page: seen({ deliveryType: 'cache', transferSize: 300 }) }, 0],
  ['a 304', { devtools: har({ status: 304 }) }, 0],
  ['a hit', { page: seen(onDisk) }, 0],
])('the received body of %s', (_, evidence, bodySize) => {
  const load = loadOf({ evidence, transferredBytes: 1004, encodedBytes: 704 });
  expect(harOf([load], '0.1.0').log.entries[0]?.response.bodySize).toBe(bodySize);
});

test('without our own fields the archive still states nothing false', () => {
  fc.assert(
    fc.property(arbitraryLoad, (load) => {
      const text = JSON.stringify(harOf([load], '0.1.0'), (key, value: unknown) =>
        key === '_cachescope' ? undefined : value,
      );
      const read = readHar({ name: 'x.har', json: JSON.parse(text) });
      const [again] = 'value' in read ? read.value : [];
      const bySequence = (again?.resources ?? []).length;
      expect(bySequence).toBe(load.resources.length);
      for (const { url, method, transferredBytes, decodedBytes, type } of again?.resources ?? []) {
        const sameUrl = load.resources.filter((resource) => resource.url === url);
        expect(sameUrl.map((resource) => resource.method)).toContain(method);
        expect(sameUrl.map((resource) => resource.type)).toContain(type);
        expect([null, ...sameUrl.map((one) => one.decodedBytes)]).toContain(decodedBytes);
        const transferred = sameUrl.map((one) => one.transferredBytes);
        // A use for which DevTools named a cache has 0 transferred bytes.
        expect([null, 0, ...transferred]).toContain(transferredBytes);
      }
    }),
  );
});
