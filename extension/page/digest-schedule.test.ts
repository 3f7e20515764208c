import { expect, test, vi } from 'vitest';
import { startPage } from '../fake-browser/page.ts';
import { DigestSchedule } from './digest-schedule.ts';

/** A schedule that has started in a page, and `digest`, which reports `slices` times that more is pending. */
function scheduled({ readyState = 'complete', prerendering = false } = {}) {
  const page = startPage();
  Object.assign(page.document, { readyState, prerendering });
  const startMs = Date.now();
  const more = { slices: 1 };
  const calls: { atMs: number; isBusy: boolean }[] = [];
  const digest = vi.fn(async (isBusy: boolean) => {
    calls.push({ atMs: Date.now() - startMs, isBusy });
    return --more.slices > 0;
  });
  const schedule = new DigestSchedule(digest);
  schedule.start();
  return { ...page, schedule, digest, calls, more, times: () => calls.map(({ atMs }) => atMs) };
}

test('nothing is processed before the page has loaded and is quiet', async () => {
  const { tell, pass, times, schedule } = scheduled({ readyState: 'loading' });
  await pass(1000);
  schedule.touch();
  tell('load');
  await pass(150);
  schedule.touch();
  await pass(150);
  expect(times()).toEqual([]);
  await pass(1000);
  expect(times()).toEqual([1350]);
});

test('a page that never loads is processed after 3 s', async () => {
  const { pass, times } = scheduled({ readyState: 'loading' });
  await pass(60_000);
  expect(times()).toEqual([3200]);
});

test('a later load event alone does not start processing again', async () => {
  const { pass, times, schedule } = scheduled({ readyState: 'interactive' });
  await pass(5000);
  schedule.touch();
  await pass(5000);
  expect(times()).toEqual([3200, 5200]);
});

test('a page that is never quiet is processed every 2 s', async () => {
  const { pass, times, schedule } = scheduled();
  for (let timeMs = 0; timeMs < 9000; timeMs += 100) {
    schedule.touch();
    await pass(100);
  }
  expect(times().length).toBeGreaterThanOrEqual(4);
  for (const [place, atMs] of times().entries())
    expect(atMs - (times()[place - 1] ?? 0)).toBeLessThanOrEqual(2200);
});

test('the whole backlog is processed, in slices while the page is idle', async () => {
  const { pass, more, calls } = scheduled();
  more.slices = 5;
  await pass(300);
  expect(calls.map(({ isBusy }) => isBusy)).toEqual([false, false, false, false, false]);
});

test('a page that is never idle gets a larger slice every half second', async () => {
  const { pass, more, calls, idle } = scheduled();
  idle.isIdle = false;
  more.slices = 3;
  await pass(5000);
  expect(calls).toEqual([
    { atMs: 700, isBusy: true },
    { atMs: 1200, isBusy: true },
    { atMs: 1700, isBusy: true },
  ]);
});

test('entries that arrive during processing are processed after the next quiet time', async () => {
  const { pass, digest, schedule, times } = scheduled();
  digest.mockImplementationOnce(async () => {
    schedule.touch();
    return false;
  });
  await pass(150);
  schedule.touch();
  await pass(5000);
  expect(times()).toEqual([550]);
});

test('a prerendered page is not processed before its activation', async () => {
  const { pass, document, times } = scheduled({ prerendering: true });
  await pass(10_000);
  expect(times()).toEqual([]);
  document.prerendering = false;
  document.dispatchEvent(new Event('prerenderingchange'));
  await pass(1000);
  expect(times()).toEqual([10_200]);
});

test('after stop nothing is processed until the next start', async () => {
  const { pass, schedule, times, tell } = scheduled({ readyState: 'loading' });
  schedule.stop();
  schedule.touch();
  tell('load');
  await pass(10_000);
  expect(times()).toEqual([]);
  schedule.start();
  tell('load');
  await pass(1000);
  expect(times()).toEqual([10_200]);
});

test('stop ends processing after the current slice', async () => {
  const { pass, digest, schedule } = scheduled();
  digest.mockImplementation(async () => {
    schedule.stop();
    return true;
  });
  await pass(10_000);
  expect(digest.mock.calls.length).toBeLessThan(10);
});
