import { expect, test } from 'vitest';
import { network } from '../fixtures/cache-source.ts';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import { attributeLoad } from '../attribution/attributed-resource.ts';
import { countSources, summarizeLoad } from './summary.ts';

const rows = attributeLoad(madeUpLoad({ count: 71 }));
const webRequest = { fromCache: false, statusCode: 200, requests: 1 };
const evidence = network({ extraInfoStatus: 200, encodedDataLength: 500 });

test('sums cover the known values, and the unknown ones are counted', () => {
  const summary = summarizeLoad(rows);
  const known = rows.filter(({ resource }) => resource.transferredBytes !== null);
  expect(summary.requests).toBe(71);
  expect(summary.transferred.unknown).toBe(71 - known.length);
  expect(summary.transferred.bytes).toBe(
    known.reduce((total, { resource }) => total + Number(resource.transferredBytes), 0),
  );
  // The made-up mix: of 7 resources, two from disk, one from memory, one revalidated, one network, one hidden, one
  // data.
  expect(countSources(rows)).toEqual([
    { source: 'disk', count: 20 },
    { source: 'network', count: 11 },
    { source: 'data', count: 10 },
    { source: 'memory', count: 10 },
    { source: 'revalidated', count: 10 },
    { source: 'unknown', count: 10 },
  ]);
  expect(summary.fromCache).toBe(30);
  expect(summary.unknownSource).toBe(10);
});

test('only unknown values give unknown, and no resources give 0', () => {
  const hidden = rows.filter(({ attribution }) => attribution.source === 'unknown');
  expect(summarizeLoad(hidden).transferred).toEqual({ bytes: null, unknown: 10 });
  expect(summarizeLoad([])).toMatchObject({
    requests: 0,
    transferred: { bytes: 0, unknown: 0 },
    finishMs: null,
  });
});

test('requests that a witness did not see are counted if it saw any request', () => {
  const [first] = rows;
  if (!first) throw new Error('the made-up load is empty');
  const told = attributeLoad({
    resources: [
      { ...first.resource, evidence: { page: null, webRequest, debugger: evidence } },
      { ...first.resource, evidence: { webRequest } },
      { ...first.resource, evidence: { webRequest }, context: 'service-worker' },
      { ...first.resource, evidence: { scheme: 'data', webRequest } },
    ],
  });
  expect(summarizeLoad([...rows, ...told]).unseenBy).toMatchObject({ page: 2, debugger: 1 });
  expect(summarizeLoad(told).unseenBy).toEqual({
    page: 0,
    webRequest: 0,
    devtools: 0,
    debugger: 1,
  });
});
