import type { WatchRequest } from '@cachescope/model/load/watch-message.ts';
import { expect, test, vi } from 'vitest';
import { fakeChrome } from '../fake-browser/chrome.ts';
import { FakeResourceEntry } from '../fake-browser/performance-timeline.ts';
import { madeUpEvent, startPage } from '../fake-browser/page.ts';
import { offerPort } from './channel.ts';

const url = 'https://example.test/a.js';

/** A loaded page with the script in it, and a service worker that watches its tab if `isWatched`. */
async function page(isWatched = true) {
  const fake = startPage();
  fake.document.readyState = 'complete';
  const chrome = fakeChrome();
  const told: WatchRequest[] = [];
  const answers: (request: WatchRequest) => unknown = (request) =>
    request.type === 'is-watched' ? { done: true, isWatched } : { done: true };
  const answer = vi.fn(answers);
  chrome.runtime.sendMessage.mockImplementation(async (request) => {
    told.push(structuredClone(request) as WatchRequest);
    return answer(request as WatchRequest);
  });
  vi.stubGlobal('chrome', chrome);
  Object.assign(performance, { setResourceTimingBufferSize: vi.fn() });
  // Each page runs its own copy of the script; the imported modules keep no state.
  await import(/* @vite-ignore */ `./isolated-world.ts?page=${crypto.randomUUID()}`);
  return {
    ...fake,
    chrome,
    answer,
    told: (type: WatchRequest['type']) => told.filter((request) => request.type === type),
    batches: () =>
      told.flatMap((request) => (request.type === 'page-batch' ? [request.batch] : [])),
    urls: () =>
      told.flatMap((request) =>
        request.type === 'page-batch' ? request.batch.uses.map((use) => use.url) : [],
      ),
    load: (name: string) => {
      fake.timeline.add(new FakeResourceEntry({ name, startTime: performance.now() }));
      fake.timeline.deliver();
    },
    order: (type: 'watch' | 'unwatch') => chrome.runtime.onMessage.emit({ type }, {}, vi.fn()),
  };
}

test('a page of a watched tab asks once whether it is watched, and reports its resources', async () => {
  const { load, pass, told, urls } = await page();
  load(url);
  await pass(1000);
  load(`${url}2`);
  await pass(1000);
  expect(told('is-watched')).toHaveLength(1);
  expect(urls()).toEqual([url, `${url}2`]);
});

test('a page of an unwatched tab reports nothing until it is watched', async () => {
  const { load, order, pass, told, urls } = await page(false);
  load(url);
  await pass(1000);
  expect(told('page-batch')).toEqual([]);
  order('watch');
  load(`${url}2`);
  await pass(1000);
  expect(urls()).toEqual([url, `${url}2`]);
  order('unwatch');
  load(`${url}3`);
  await pass(10_000);
  expect(urls()).not.toContain(`${url}3`);
});

test('a service worker that does not answer is asked again', async () => {
  const { answer, load, pass, urls } = await page();
  answer.mockImplementationOnce(() => {
    throw new Error('stopped');
  });
  load(url);
  await pass(2000);
  expect(urls()).toEqual([url]);
});

test.each(['is-watched', 'page-batch'] as const)(
  'a message "%s" that got no answer because of the back/forward cache is sent again after the restore',
  async (type) => {
    const { answer, load, pass, tell, told, urls } = await page();
    const usual = answer.getMockImplementation();
    answer.mockImplementation((request) =>
      request.type === type ? new Promise(() => undefined) : usual?.(request),
    );
    load(url);
    await pass(1000);
    const sent = told(type).length;
    await pass(600_000);
    expect(told(type)).toHaveLength(sent);
    answer.mockImplementation(usual ?? vi.fn());
    tell('pageshow', { persisted: true });
    load(`${url}2`);
    await pass(2000);
    expect(urls()).toEqual(expect.arrayContaining([url, `${url}2`]));
  },
);

test('a page restored from the back/forward cache asks again whether it is watched', async () => {
  const { answer, load, pass, tell, urls } = await page();
  load(url);
  await pass(1000);
  answer.mockImplementation(() => ({ done: true, isWatched: false }));
  tell('pageshow', { persisted: true });
  load(`${url}2`);
  await pass(2000);
  expect(urls()).toEqual([url]);
});

test('a page restored from the back/forward cache reports the time, also one that was not watched before', async () => {
  for (const isWatched of [true, false]) {
    const { answer, batches, load, pass, tell, window } = await page(isWatched);
    load(url);
    await pass(1000);
    answer.mockImplementation(() => ({ done: true, isWatched: true }));
    const before = batches().length;
    tell('pageshow', { persisted: false });
    window.dispatchEvent(madeUpEvent('pageshow', { persisted: true }));
    await pass(1000);
    expect(batches()).toHaveLength(before);
    tell('pageshow', { persisted: true });
    await pass(1000);
    expect(batches().at(-1)).toMatchObject({ restoredAtMs: 2000 });
  }
});

test('a restored page whose tab is no longer watched goes on with its numbers when it is watched again', async () => {
  const { answer, batches, load, order, pass, tell } = await page();
  load(url);
  load(`${url}2`);
  await pass(1000);
  answer.mockImplementation(() => ({ done: true, isWatched: false }));
  tell('pageshow', { persisted: true });
  load(`${url}3`);
  await pass(1000);
  order('watch');
  load(`${url}4`);
  await pass(1000);
  const uses = batches().flatMap((batch) => batch.uses);
  expect(uses.map((use) => [use.index, use.url])).toEqual([
    [0, url],
    [1, `${url}2`],
    [2, `${url}4`],
  ]);
});

test('a question is passed to the main world, and its answer back', async () => {
  const { chrome } = await page();
  const port = offerPort();
  port.addEventListener('message', ({ data }) => {
    const { id, question } = data as { id: number; question: unknown };
    // A port has no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    port.postMessage({ id, result: { answer: question } });
  });
  port.start();
  const answered = new Promise((resolve) => {
    expect(chrome.runtime.onMessage.emit({ type: 'describe' }, {}, resolve)).toEqual([true]);
  });
  expect(await answered).toEqual({ answer: { type: 'describe' } });
  port.close();
});

test('a document that the instrument has not opened refuses to time a read; one that it opened does not', async () => {
  const { chrome } = await page();
  const port = offerPort();
  const asked: unknown[] = [];
  port.addEventListener('message', ({ data }) => {
    asked.push((data as { question: { type: string } }).question.type);
  });
  port.start();
  const respond = vi.fn();
  const read = { type: 'read', request: { url, settleMs: 0 } };
  chrome.runtime.onMessage.emit(read, {}, respond);
  expect(respond).toHaveBeenCalledWith({ error: expect.stringContaining('has not opened') });
  chrome.runtime.onMessage.emit({ type: 'describe' }, {}, vi.fn());
  chrome.runtime.onMessage.emit(read, {}, vi.fn());
  await expect.poll(() => asked).toEqual(['describe', 'read']);
  port.close();
});
