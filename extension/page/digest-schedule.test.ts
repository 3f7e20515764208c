import { expect, test, vi } from 'vitest';
import { startPage } from '../fake-browser/page.ts';
import { DigestSchedule } from './digest-schedule.ts';

/** A schedule that has started in a page, and `digest`, which says that more waits as often as `slices` says. */
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

test('nothing is looked at before the page has loaded and is quiet', async () => {
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

test('a page that never loads is looked at after 3 s', async () => {
  const { pass, times } = scheduled({ readyState: 'loading' });
  await pass(60_000);
  expect(times()).toEqual([3200]);
});

test('a page that loads after that is not looked at again for it alone', async () => {
  const { pass, times, schedule } = scheduled({ readyState: 'interactive' });
  await pass(5000);
  schedule.touch();
  await pass(5000);
  expect(times()).toEqual([3200, 5200]);
});

test('a page that is never quiet is looked at every 2 s', async () => {
  const { pass, times, schedule } = scheduled();
  for (let timeMs = 0; timeMs < 9000; timeMs += 100) {
    schedule.touch();
    await pass(100);
  }
  expect(times().length).toBeGreaterThanOrEqual(4);
  for (const [place, atMs] of times().entries())
    expect(atMs - (times()[place - 1] ?? 0)).toBeLessThanOrEqual(2200);
});

test('all that waits is looked at, in slices while the page has nothing to do', async () => {
  const { pass, more, calls } = scheduled();
  more.slices = 5;
  await pass(300);
  expect(calls.map(({ isBusy }) => isBusy)).toEqual([false, false, false, false, false]);
});

test('a page that is never idle gives its time every half second, to larger slices', async () => {
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

test('what comes while it looks is looked at when that is quiet', async () => {
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

test('a prerendered page is not looked at before it is shown', async () => {
  const { pass, document, times } = scheduled({ prerendering: true });
  await pass(10_000);
  expect(times()).toEqual([]);
  document.prerendering = false;
  document.dispatchEvent(new Event('prerenderingchange'));
  await pass(1000);
  expect(times()).toEqual([10_200]);
});

test('after the stop nothing is looked at, until it starts again', async () => {
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

test('a stop ends what is being looked at after its slice', async () => {
  const { pass, digest, schedule } = scheduled();
  digest.mockImplementation(async () => {
    schedule.stop();
    return true;
  });
  await pass(10_000);
  expect(digest.mock.calls.length).toBeLessThan(10);
});
