import { expect, test, vi } from 'vitest';
import { FakeEntry, FakeResourceEntry } from '../fake-browser/performance-timeline.ts';
import { startPage } from '../fake-browser/page.ts';
import { enlargeBuffer, plainTiming, resourceEntry } from './resource-entry.ts';

const url = 'https://example.test/a';
const read = { url, fromMs: 10, toMs: 20 };

function lookedFor() {
  const page = startPage();
  const found = vi.fn();
  void resourceEntry(PerformanceObserver, read).then(found);
  return { ...page, found };
}

test('the entry of a read is distinguished from others of its URL by its time', async () => {
  const { timeline, found, pass } = lookedFor();
  for (const startTime of [9.9, 12, 20.1])
    timeline.add(new FakeResourceEntry({ name: url, startTime, duration: startTime }));
  timeline.add(new FakeResourceEntry({ name: `${url}b`, startTime: 12 }));
  timeline.deliver();
  await pass(0);
  expect(found).toHaveBeenCalledOnce();
  expect(found.mock.calls[0]?.[0]).toMatchObject({ startTime: 12, duration: 12 });
});

test('an entry added before the observer is found, and so is a late one', async () => {
  const page = startPage();
  page.timeline.add(new FakeResourceEntry({ name: url, startTime: 12 }));
  const early = resourceEntry(PerformanceObserver, read);
  page.timeline.deliver();
  expect(await early).toMatchObject({ startTime: 12 });
  const late = resourceEntry(PerformanceObserver, { ...read, toMs: 30, fromMs: 25 });
  await page.pass(999);
  page.timeline.add(new FakeResourceEntry({ name: url, startTime: 26 }));
  page.timeline.deliver();
  expect(await late).toMatchObject({ startTime: 26 });
});

test('without an entry within 1 s the result is null', async () => {
  const { timeline, found, pass } = lookedFor();
  await pass(999);
  expect(found).not.toHaveBeenCalled();
  await pass(1);
  expect(found).toHaveBeenCalledExactlyOnceWith(null);
  timeline.add(new FakeResourceEntry({ name: url, startTime: 12 }));
  timeline.deliver();
  await pass(0);
  expect(found).toHaveBeenCalledOnce();
});

test('an object that the page puts in place of an entry is ignored', async () => {
  const { timeline, found, pass } = lookedFor();
  timeline.add(new FakeEntry({ name: url, startTime: 12, transferSize: 0 }));
  timeline.deliver();
  await pass(1000);
  expect(found).toHaveBeenCalledExactlyOnceWith(null);
});

test('the fields of an entry are copied unchanged, and a missing field stays absent', () => {
  startPage();
  const fields = {
    deliveryType: 'cache',
    initiatorType: 'fetch',
    nextHopProtocol: 'h2',
    transferSize: 0,
    encodedBodySize: 10,
    decodedBodySize: 20,
    responseStatus: 200,
    contentEncoding: 'dcb',
    contentType: 'text/css',
    startTime: 1,
    duration: 2,
    workerStart: 3,
    workerMatchedSourceType: 'cache',
    workerFinalSourceType: 'network',
    redirectStart: 0,
    requestStart: 4,
    firstInterimResponseStart: 5,
    finalResponseHeadersStart: 6,
    responseStart: 7,
    responseEnd: 8,
  };
  const entry = new FakeResourceEntry({ ...fields, name: url, serverTiming: ['secret'] });
  const plain = plainTiming(entry as unknown as PerformanceResourceTiming);
  expect(plain).toStrictEqual(fields);
  const older = new FakeResourceEntry({ startTime: 1 }) as unknown as PerformanceResourceTiming;
  expect(JSON.parse(JSON.stringify(plainTiming(older)))).not.toHaveProperty('deliveryType');
});

test('the buffer has room for the entries of a long launch', () => {
  const setResourceTimingBufferSize = vi.fn();
  enlargeBuffer({ setResourceTimingBufferSize } as unknown as Performance);
  expect(setResourceTimingBufferSize).toHaveBeenCalledExactlyOnceWith(20_000);
});
