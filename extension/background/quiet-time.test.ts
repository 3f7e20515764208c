import { expect, onTestFinished, test, vi } from 'vitest';
import { QuietTime } from './quiet-time.ts';

function started(isLoading: () => Promise<boolean> = async () => false) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const work = vi.fn();
  const quiet = new QuietTime(work, isLoading);
  return {
    work,
    quiet,
    /** An event every 50 ms, for so long. */
    events: async (ms: number) => {
      for (let atMs = 0; atMs < ms; atMs += 50) {
        quiet.touch();
        await vi.advanceTimersByTimeAsync(50);
      }
    },
  };
}

test('work begins when nothing has happened for 200 ms, and once for all that happened', async () => {
  const { work, events } = started();
  await events(500);
  expect(work).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(150);
  expect(work).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).toHaveBeenCalledOnce();
});

test('where events never end, work is put off for 2 s at most, and for 20 s while a page loads', async () => {
  const loaded = started();
  await loaded.events(5000);
  expect(loaded.work).toHaveBeenCalledTimes(2);
  const loading = started(async () => true);
  await loading.events(19_900);
  expect(loading.work).not.toHaveBeenCalled();
  await loading.events(200);
  expect(loading.work).toHaveBeenCalledOnce();
});

test('work begins as soon as the page has loaded, or when that is unknown', async () => {
  const isLoading = vi.fn(async () => true);
  const { work, events } = started(isLoading);
  await events(5000);
  isLoading.mockRejectedValue(new Error('no tab'));
  await events(200);
  expect(work).toHaveBeenCalledOnce();
});

test('cancelled work is not done, also while the answer is awaited', async () => {
  const answer = Promise.withResolvers<boolean>();
  const { work, quiet, events } = started(() => answer.promise);
  quiet.touch();
  quiet.cancel();
  await vi.advanceTimersByTimeAsync(10_000);
  await events(3000);
  quiet.cancel();
  answer.resolve(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(work).not.toHaveBeenCalled();
});
