import { expect, test } from 'vitest';
import { hitSteps, usedNetwork } from './hit-steps.ts';
import { type NetlogEvent, type NetlogRequest, tracedRequest } from './netlog-request.ts';
import { fixtureUrl, hitEvents, inPieces, traceText } from './trace-fixture.ts';

async function fixture(events = hitEvents) {
  const { page, request } = await tracedRequest(inPieces(traceText(events), 999), fixtureUrl);
  if (!page || !request) throw new Error('the fixture holds the read');
  return { page, request, ...hitSteps(request, page) };
}

test('the time of a hit is divided among its steps, without an unexplained rest', async () => {
  const { steps, page } = await fixture();
  expect(page).toEqual({ beginUs: 1000, endUs: 60_000 });
  const ms = Object.fromEntries(Object.entries(steps).map(([step, { ms: each }]) => [step, each]));
  expect(ms).toEqual({
    dispatch: 2,
    backendWait: expect.closeTo(0.01, 6),
    entryOpen: expect.closeTo(20, 6),
    lockWait: expect.closeTo(0.01, 6),
    headerRead: expect.closeTo(0.02, 6),
    bodyRead: expect.closeTo(20.01, 6),
    decode: expect.closeTo(2.5, 6),
    dictionaryRead: null,
    entryWrite: 0,
    network: 0,
    delivery: expect.closeTo(11.89, 6),
    rest: expect.closeTo(2.56, 6),
  });
  const known = Object.values(steps).reduce((sum, { ms: each }) => sum + (each ?? 0), 0);
  expect(known).toBeCloseTo(59, 6);
});

test('body reads are counted by their result: the last one finds the end', async () => {
  const { steps } = await fixture();
  expect(steps.bodyRead).toMatchObject({ count: 2, bytes: 34_768 });
});

test('spans are ordered by time and do not overlap', async () => {
  const { spans } = await fixture();
  expect(spans[0]).toEqual({ step: 'dispatch', startMs: 0, endMs: 2 });
  expect(spans.at(-1)).toMatchObject({ step: 'delivery', endMs: 59 });
  for (const [index, { startMs }] of spans.slice(1).entries())
    expect(startMs).toBeGreaterThanOrEqual(spans[index]?.endMs ?? Number.NaN);
});

test('the chunks of one decode are one span', async () => {
  const { spans } = await fixture();
  expect(spans.filter(({ step }) => step === 'decode')).toEqual([
    { step: 'decode', startMs: 34, endMs: 35.5 },
    { step: 'decode', startMs: 46, endMs: 47 },
  ]);
});

test('decompression inside the cache is timed from the end of each read to the bytes that result from it', async () => {
  const plain = hitEvents.filter(({ name }) => !/FILTERS_SET|JOB_BYTES_READ/.test(name));
  const at = plain.findIndex(({ name, ts }) => name === 'HTTP_CACHE_READ_DATA' && ts === 25_000);
  const first = plain[at];
  if (!first) throw new Error('the fixture reads a body');
  const told = { ...first, name: 'HTTP_CACHE_DECOMPRESS' };
  const begin = { ...told, ph: 'b', ts: 24_900 };
  const events = plain.toSpliced(at, 0, begin, { ...told, ph: 'e', ts: 24_910 });
  const { steps, spans } = await fixture(events);
  expect(spans.filter(({ step }) => step === 'decode')).toEqual([
    { step: 'decode', startMs: 23.9, endMs: 23.91 },
    { step: 'decode', startMs: 34, endMs: 35.5 },
    { step: 'decode', startMs: 46, endMs: 47 },
  ]);
  expect(steps.decode.ms).toBeCloseTo(2.51, 6);
  // The number of stored bytes is unknown: only the decompressed bytes are reported.
  expect(steps.bodyRead.bytes).toBeUndefined();
});

test('a hit without a filter is decoded in no time; for a network read without one the time is unknown', async () => {
  const without = hitEvents.filter(({ name }) => !/FILTERS_SET|JOB_BYTES_READ/.test(name));
  const hit = await fixture(without);
  expect(hit.steps.decode.ms).toBe(0);
  expect(hit.steps.bodyRead).toMatchObject({ count: 3, bytes: 79_000 });
  const asked: NetlogEvent[] = [
    { name: 'HTTP_TRANSACTION_SEND_REQUEST', phase: 'begin', us: 30_000, bytes: null },
    { name: 'HTTP_TRANSACTION_SEND_REQUEST', phase: 'end', us: 31_000, bytes: null },
  ];
  const request: NetlogRequest = { ...hit.request, events: [...hit.request.events, ...asked] };
  const network = hitSteps(request, hit.page);
  expect(usedNetwork(request)).toBe(true);
  expect(network.steps.decode.ms).toBeNull();
});

test('a step that is not in the trace is unknown, not 0', async () => {
  const { steps } = await fixture(hitEvents.filter(({ name }) => name !== 'HTTP_CACHE_READ_INFO'));
  expect(steps.headerRead).toEqual({ ms: null, why: 'the trace does not tell of it' });
});
