import { expect, onTestFinished, test, vi } from 'vitest';
import { QuietTime } from './quiet-time.ts';

function started() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const work = vi.fn();
  return { work, quiet: new QuietTime(work) };
}

test('work begins when nothing has happened for 200 ms, and once for all that happened', () => {
  const { work, quiet } = started();
  for (let event = 0; event < 5; event++) {
    quiet.touch();
    vi.advanceTimersByTime(100);
  }
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(work).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledOnce();
});

test('where events never end, work is put off for 2 s at most', () => {
  const { work, quiet } = started();
  for (let event = 0; event < 100; event++) {
    quiet.touch();
    vi.advanceTimersByTime(50);
  }
  expect(work).toHaveBeenCalledTimes(2);
});

test('cancelled work is not done', () => {
  const { work, quiet } = started();
  quiet.touch();
  quiet.cancel();
  vi.advanceTimersByTime(10_000);
  expect(work).not.toHaveBeenCalled();
});
