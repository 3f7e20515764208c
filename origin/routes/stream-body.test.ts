import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StreamBody } from './stream-body.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

test('the last byte is due with the last chunk, also of a stream that does not divide evenly', async () => {
  const [bytes, chunks, periodMs] = [31, 30, 100];
  const body = new StreamBody({
    content: { view: (_offset, count) => Buffer.alloc(count) },
    from: 0,
    to: bytes,
    chunkBytes: bytes / chunks,
    periodMs,
  });
  body.resume();
  const sentAt: number[] = [];
  for (let chunk = 1; chunk <= chunks; chunk++) {
    await vi.advanceTimersByTimeAsync(chunk === 1 ? 0 : periodMs);
    sentAt.push(body.sentBytes);
  }
  expect(sentAt.at(-1)).toBe(bytes);
  expect(sentAt.at(-2)).toBeLessThan(bytes);
  expect(sentAt).toEqual(
    Array.from({ length: chunks }, (_, at) => Math.ceil(((at + 1) * 31) / 30)),
  );
});
