import { createHash } from 'node:crypto';
import { readMarks } from '@cachescope/model/load/messages.ts';
import { expect, test } from 'vitest';
import { FakeResourceEntry } from '../fake-browser/performance-timeline.ts';
import { startPage } from '../fake-browser/page.ts';
import { type Natives, timedRead } from './timed-read.ts';

const url = 'https://example.test/data/a.js';
/** SHA-256 of the three bytes of "abc" (FIPS 180-2, appendix B.1). */
const abcSha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

/** A page in which every step of a read takes a distinct time and is logged in `done`. */
function page(more: Partial<Natives> = {}) {
  const fake = startPage();
  const done: string[] = [];
  let nowMs = 100;
  const takes = (name: string, ms: number): void => {
    done.push(name);
    nowMs += ms;
  };
  const natives: Natives = {
    now: () => {
      done.push('now');
      return nowMs;
    },
    fetch: async (asked) => {
      takes(`fetch ${asked}`, 3);
      fake.timeline.add(new FakeResourceEntry({ name: asked, startTime: nowMs - 3, duration: 7 }));
      return new Response(null, { status: 203 });
    },
    arrayBuffer: async () => {
      takes('body', 4);
      return new TextEncoder().encode('abc').buffer;
    },
    sha256: async (bytes) => {
      takes('sha256', 50);
      const digest = createHash('sha256').update(new Uint8Array(bytes)).digest();
      return new Uint8Array(digest).buffer;
    },
    sleep: async (ms) => takes(`sleep ${ms}`, ms),
    mark: (name) => void done.push(name),
    Observer: PerformanceObserver,
    ...more,
  };
  const reading = async (request: object = {}) => {
    const read = timedRead(natives, { url: './data/a.js', settleMs: 2, ...request });
    await fake.pass(0);
    fake.timeline.deliver();
    await fake.pass(1000);
    return read;
  };
  return { ...fake, done, reading };
}

test('a read is timed from the call of fetch to the complete body, and nothing else is timed', async () => {
  const { done, reading } = page();
  const read = await reading();
  expect(done).toEqual(['sleep 2', 'now', `fetch ${url}`, 'body', 'now', 'sha256']);
  expect(read).toMatchObject({
    url,
    readMs: 7,
    status: 203,
    bodyBytes: 3,
    bodySha256: abcSha256,
    timing: { startTime: 102, duration: 7 },
    hasServiceWorker: false,
  });
  expect(read).not.toHaveProperty('failure');
});

test('performance marks are set at both ends of the read, outside its time', async () => {
  const { done, reading } = page();
  await reading({ marks: true });
  expect(done).toEqual([
    'sleep 2',
    readMarks.begin,
    'now',
    `fetch ${url}`,
    'body',
    'now',
    readMarks.end,
    'sha256',
  ]);
});

test('a failed request has a reason, and neither status nor body', async () => {
  const { reading } = page({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  expect(await reading()).toMatchObject({
    status: 0,
    bodyBytes: 0,
    bodySha256: '',
    timing: null,
    failure: 'TypeError: Failed to fetch',
  });
});

test('an incomplete body keeps the status and has no body size', async () => {
  const { reading } = page({ arrayBuffer: () => Promise.reject(new TypeError('network error')) });
  const failure = 'TypeError: network error';
  expect(await reading()).toMatchObject({ status: 203, bodyBytes: 0, bodySha256: '', failure });
});

test('an empty body is a body', async () => {
  const { reading } = page({ arrayBuffer: async () => new ArrayBuffer(0) });
  const read = await reading();
  expect(read.bodySha256).toMatch(/^e3b0c442/);
  expect(read).not.toHaveProperty('failure');
});

test('a page controlled by a service worker says so', async () => {
  const { reading } = page();
  Object.assign(navigator.serviceWorker, { controller: {} });
  expect((await reading()).hasServiceWorker).toBe(true);
});
