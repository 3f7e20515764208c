import { expect, test } from 'vitest';
import { madeUpLoad } from '../fixtures/made-up-load.ts';
import { attributeLoad } from '../attribution/attributed-resource.ts';
import { countSources, summarizeLoad } from './summary.ts';

const rows = attributeLoad(madeUpLoad({ count: 71 }));

test('sums are of what is known, and count what is not', () => {
  const summary = summarizeLoad(rows);
  const known = rows.filter(({ resource }) => resource.transferredBytes !== null);
  expect(summary.requests).toBe(71);
  expect(summary.transferred.unknown).toBe(71 - known.length);
  expect(summary.transferred.bytes).toBe(
    known.reduce((total, { resource }) => total + Number(resource.transferredBytes), 0),
  );
  // The made-up mix: of 7, two from disk, one from memory, one revalidated, one network, one hidden, one data.
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

test('nothing known is unknown, and no resources are 0', () => {
  const hidden = rows.filter(({ attribution }) => attribution.source === 'unknown');
  expect(summarizeLoad(hidden).transferred).toEqual({ bytes: null, unknown: 10 });
  expect(summarizeLoad([])).toMatchObject({
    requests: 0,
    transferred: { bytes: 0, unknown: 0 },
    finishMs: null,
  });
});

test('requests that the page did not see are counted where it saw any', () => {
  const { page: _, ...others } = rows[0]?.resource.evidence ?? {};
  const unseen = rows
    .slice(0, 2)
    .map((row) => ({ ...row, resource: { ...row.resource, evidence: others } }));
  expect(summarizeLoad([...rows.slice(2), ...unseen]).unseenByPage).toBe(2);
  expect(summarizeLoad(unseen).unseenByPage).toBe(0);
});
