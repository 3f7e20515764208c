import type { PageBatch } from '@cachescope/model/load/page-batch.ts';
import { expect, test, vi } from 'vitest';
import {
  FakeEntry,
  FakeNavigationEntry,
  FakeResourceEntry,
} from '../fake-browser/performance-timeline.ts';
import { FakeImage, FakeLink, madeUpEvent, startPage } from '../fake-browser/page.ts';
import { Collector } from './collector.ts';

const url = 'https://example.test/a.js';

/** A collector that has started in a loaded page. */
function collecting(mayDigest: () => Promise<boolean> = async () => true) {
  const page = startPage();
  page.document.readyState = 'complete';
  const batches: PageBatch[] = [];
  const send = vi.fn(async (batch: PageBatch) => void batches.push(structuredClone(batch)));
  const collector = new Collector(send, mayDigest);
  collector.start();
  return {
    ...page,
    collector,
    batches,
    send,
    load: (name: string, more: object = {}) => {
      page.timeline.add(new FakeResourceEntry({ name, startTime: performance.now(), ...more }));
      page.timeline.deliver();
    },
    uses: () => batches.flatMap((batch) => batch.uses),
  };
}

test('entries are sent once, as uses numbered in order', async () => {
  const { load, pass, uses, send } = collecting();
  load(`${url}#part`, { duration: 5 });
  load(`${url}2`);
  await pass(1000);
  expect(uses()).toMatchObject([
    { index: 0, url, timing: { duration: 5 }, isPreload: false, hasServiceWorker: false },
    { index: 1, url: `${url}2` },
  ]);
  const sent = send.mock.calls.length;
  await pass(60_000);
  expect(send).toHaveBeenCalledTimes(sent);
  load(`${url}3`);
  await pass(1000);
  expect(uses()).toHaveLength(3);
  expect(uses().at(-1)).toMatchObject({ index: 2, url: `${url}3` });
});

test('a batch describes its document', async () => {
  const { timeline, batches, pass } = collecting();
  timeline.add(
    new FakeNavigationEntry({
      name: 'https://example.test/#top',
      type: 'reload',
      activationStart: 12,
      domContentLoadedEventEnd: 300,
      loadEventEnd: 0,
    }),
  );
  timeline.deliver();
  await pass(1000);
  expect(batches).toMatchObject([
    {
      url: 'https://example.test/',
      isTop: true,
      timeOriginMs: performance.timeOrigin,
      activationStartMs: 12,
      navigationType: 'reload',
      domContentLoadedMs: 300,
      // null, not 0: the page has not loaded yet.
      loadMs: null,
      droppedEntries: 0,
      restoredAtMs: null,
      uses: [{ index: -1, url: 'https://example.test/' }],
    },
  ]);
});

test('the document’s entry keeps its number when it is delivered again, complete', async () => {
  const { timeline, uses, pass, load } = collecting();
  load(url);
  for (const duration of [0, 500]) {
    timeline.add(new FakeNavigationEntry({ name: 'https://example.test/', duration }));
    timeline.deliver();
    await pass(1000);
  }
  expect(uses().map(({ index, timing }) => [index, timing?.duration])).toEqual([
    [0, 0],
    [-1, 0],
    [-1, 500],
  ]);
});

test('without permission to digest nothing is processed or sent', async () => {
  const { load, pass, send, collector } = collecting(async () => false);
  load(url);
  await pass(10_000);
  expect(send).not.toHaveBeenCalled();
  collector.discard();
  await pass(10_000);
  expect(send).not.toHaveBeenCalled();
});

test('a second use without an entry is sent with the entry that it shares', async () => {
  const { load, pass, document, uses } = collecting();
  load(url, { initiatorType: 'img', startTime: 0 });
  document.finish(new FakeImage('img', { src: url }));
  document.finish(new FakeImage('img', { src: url }));
  await pass(2000);
  expect(uses()).toMatchObject([
    { index: 0, url },
    {
      index: 1,
      url,
      timing: null,
      tag: 'img',
      earlierEntry: { startTime: 0, initiatorType: 'img', isPreload: false },
    },
  ]);
});

test('an entry delivered after its element’s load event belongs to that element', async () => {
  const { load, pass, document, uses } = collecting();
  load(url, { initiatorType: 'img', startTime: 0 });
  document.finish(new FakeImage('img', { src: url }));
  await pass(500);
  document.finish(new FakeImage('img', { src: `${url}2` }));
  const startTime = performance.now() - 10;
  await pass(240);
  load(`${url}2`, { initiatorType: 'img', startTime });
  await pass(2000);
  expect(uses().map((use) => [use.url, use.timing === null])).toEqual([
    [url, false],
    [`${url}2`, false],
  ]);
});

test('entries of preload links and early hints are marked as preloads', async () => {
  const { load, pass, document, uses } = collecting();
  document.links = [new FakeLink('link', { href: url, rel: 'preload' })];
  load(url, { initiatorType: 'link' });
  load(`${url}2`, { initiatorType: 'early-hints' });
  load(`${url}3`, { initiatorType: 'link' });
  await pass(1000);
  expect(uses().map(({ isPreload }) => isPreload)).toEqual([true, true, false]);
});

test('an entry of a request that the browser later reports as blocked is sent again, with the directive', async () => {
  const { load, pass, uses, document } = collecting();
  const forbid = (blockedURI: string) =>
    document.tell('securitypolicyviolation', {
      blockedURI,
      disposition: 'enforce',
      effectiveDirective: 'img-src',
    });
  const startTime = performance.now() + 900;
  load(url, { duration: 0.1, responseStatus: 0, startTime });
  // A response whose status is hidden took time: this violation is of another request, which has no entry.
  load(`${url}2`, { duration: 5, responseStatus: 0, startTime });
  // This entry began long before the violation: it is of a hit in memory.
  load(`${url}3`, { duration: 0, responseStatus: 0 });
  await pass(1000);
  expect(uses()).toHaveLength(3);
  forbid(url);
  forbid(`${url}2`);
  forbid(`${url}3`);
  await pass(1000);
  expect(uses().map(({ index, url: of, blockedBy }) => [index, of, blockedBy])).toEqual([
    [0, url, undefined],
    [1, `${url}2`, undefined],
    [2, `${url}3`, undefined],
    [0, url, 'img-src'],
    [3, `${url}2`, 'img-src'],
    [4, `${url}3`, 'img-src'],
  ]);
  expect(uses()[3]?.timing).toEqual(uses()[0]?.timing);
});

test('a blocked frame is one use, although its entry comes long after its violation', async () => {
  const { load, pass, uses, document } = collecting();
  const startTime = performance.now();
  document.tell('securitypolicyviolation', {
    blockedURI: url,
    disposition: 'enforce',
    effectiveDirective: 'frame-src',
  });
  await pass(1000);
  expect(uses()).toMatchObject([{ index: 0, timing: null, blockedBy: 'frame-src' }]);
  load(url, { initiatorType: 'iframe', duration: 900, responseStatus: 0, startTime });
  // A second frame with the same URL, which the policy then allowed.
  load(url, { initiatorType: 'iframe', duration: 900, responseStatus: 0, startTime });
  await pass(1000);
  expect(uses().slice(1)).toMatchObject([
    { index: 0, timing: { duration: 900 }, blockedBy: 'frame-src' },
    { index: 1, timing: { duration: 900 } },
  ]);
  expect(uses()[2]).not.toHaveProperty('blockedBy');
});

test('a data: URL is cut to its first 2048 characters', async () => {
  const { pass, document, uses } = collecting();
  document.finish(new FakeImage('img', { src: `data:image/png,${'a'.repeat(5000)}` }));
  await pass(1000);
  expect(uses().map((use) => use.url.length)).toEqual([2048]);
});

test('on pagehide all pending uses are sent at once, undelivered entries included', async () => {
  const { load, tell, uses, timeline } = collecting();
  load(url);
  timeline.add(new FakeResourceEntry({ name: `${url}2` }));
  tell('pagehide');
  expect(uses().map((use) => use.url)).toEqual([url, `${url}2`]);
});

test('a batch that was not acknowledged is sent again, with the same numbers', async () => {
  const { load, pass, uses, send } = collecting();
  send.mockRejectedValueOnce(new Error('the service worker was stopped'));
  load(url);
  await pass(3000);
  expect(send).toHaveBeenCalledTimes(2);
  expect(uses()).toMatchObject([{ index: 0, url }]);
});

test('a hidden tab sends its pending uses; a prerendered page that was never activated does not', async () => {
  const { load, tell, pass, uses, document } = collecting();
  document.visibilityState = 'hidden';
  document.prerendering = true;
  load(url);
  tell('visibilitychange');
  tell('pagehide');
  await pass(0);
  expect(uses()).toEqual([]);
  document.prerendering = false;
  tell('visibilitychange');
  await pass(0);
  expect(uses()).toHaveLength(1);
});

test('after a stop nothing is collected, and after another start only later entries are', async () => {
  const { collector, load, pass, uses, tell, document } = collecting();
  load(url);
  collector.stop();
  await pass(0);
  expect(uses()).toMatchObject([{ index: 0, url }]);
  load(`${url}2`);
  document.finish(new FakeImage('img', { src: 'data:,' }));
  tell('pagehide');
  await pass(10_000);
  expect(uses()).toHaveLength(1);
  collector.start();
  collector.start();
  load(`${url}3`);
  await pass(1000);
  expect(uses().map((use) => [use.index, use.url])).toEqual([
    [0, url],
    [1, `${url}3`],
  ]);
});

test('discard drops collected uses', async () => {
  const { collector, load, pass, send } = collecting();
  load(url);
  await pass(210);
  collector.discard();
  await pass(10_000);
  expect(send).not.toHaveBeenCalled();
});

test('entries and elements faked by the page are ignored', async () => {
  const { timeline, document, pass, uses } = collecting();
  timeline.add(new FakeEntry({ name: url }));
  timeline.deliver();
  document.tell('load', { target: { localName: 'img', src: 'data:,' } });
  document.dispatchEvent(madeUpEvent('load', { target: new FakeImage('img', { src: 'data:,' }) }));
  const violation = { blockedURI: url, disposition: 'enforce', effectiveDirective: 'img-src' };
  document.dispatchEvent(madeUpEvent('securitypolicyviolation', violation));
  await pass(1000);
  expect(uses()).toEqual([]);
});

test('a large number of entries is processed completely, in slices and batches', async () => {
  const { timeline, pass, uses } = collecting();
  for (let place = 0; place < 1234; place++)
    timeline.add(new FakeResourceEntry({ name: `${url}?${place}` }));
  timeline.deliver();
  await pass(5000);
  expect(uses().map((use) => use.url)).toEqual(
    Array.from({ length: 1234 }, (_, place) => `${url}?${place}`),
  );
});

test('uses above the limit per document are counted as dropped', async () => {
  const { timeline, tell, batches } = collecting();
  for (let place = 0; place < 100_003; place++) timeline.add(new FakeResourceEntry({ name: url }));
  tell('pagehide');
  expect(batches.flatMap((batch) => batch.uses)).toHaveLength(100_000);
  expect(batches.at(-1)?.droppedEntries).toBe(3);
});

test('entries dropped by the browser are reported in every batch, also after another start', async () => {
  const { timeline, collector, load, pass, batches } = collecting();
  timeline.dropped = 7;
  load(url);
  await pass(1000);
  load(`${url}2`);
  collector.stop();
  await pass(1000);
  collector.start();
  load(`${url}3`);
  await pass(1000);
  expect(batches.map(({ droppedEntries }) => droppedEntries)).toEqual([7, 7, 7]);
});
