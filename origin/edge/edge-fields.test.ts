import { expect, onTestFinished, test, vi } from 'vitest';
import { answerWith, edgeUnderTest } from './edge-under-test.ts';

test('Cache-Status gives the reason for forwarding (RFC 9211 section 2.2)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) => {
    const isConfirmed = asked.request.headers['if-none-match'] !== undefined;
    const lifetime = asked.request.url === '/stale' ? 0 : 60;
    if (isConfirmed) asked.response.writeHead(304).end();
    else answerWith(asked, 'answer', { etag: '"1"', 'cache-control': `max-age=${lifetime}` });
  });
  const status = async (path: string, field = '', method = 'GET') => {
    const reading = await edge.read(path, { method, headers: { 'cache-control': field } });
    await reading.whole;
    return reading.headers['cache-status']?.toString().replace('cachescope-edge; ', '');
  };
  expect(await status('/fresh', 'only-if-cached')).toBe('detail=only-if-cached');
  expect(await status('/fresh')).toBe('fwd=miss; stored');
  expect(await status('/fresh', 'no-cache', 'HEAD')).toBe('fwd=request');
  expect(await status('/fresh', 'no-cache')).toBe('fwd=request; fwd-status=304');
  expect(await status('/stale')).toBe('fwd=miss; stored');
  expect(await status('/stale', '', 'HEAD')).toBe('fwd=stale');
  expect(await status('/stale')).toBe('fwd=stale; fwd-status=304');
});

test('Cache-Status gives the upstream’s status where the client’s differs (RFC 9211 section 2.3)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, 'answer', { etag: '"1"' }),
  );
  const status = async (path: string, headers: Record<string, string>) =>
    (await edge.read(path, { headers })).headers['cache-status'];
  const miss = 'cachescope-edge; fwd=miss; stored; fwd-status=200';
  expect(await status('/304', { 'if-none-match': '"1"' })).toBe(miss);
  expect(await status('/206', { range: 'bytes=0-1' })).toBe(miss);
  expect(await status('/416', { range: 'bytes=9-' })).toBe(miss);
  expect(await status('/206', { range: 'bytes=0-1' })).toBe('cachescope-edge; hit');
});

test('Cache-Status keeps what caches nearer to the origin say (RFC 9211 section 2)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, 'answer', { 'cache-status': 'inner; hit' }),
  );
  const status = async (headers: Record<string, string> = {}) =>
    (await edge.read('/a', { headers })).headers['cache-status'];
  expect(await status()).toBe('inner; hit, cachescope-edge; fwd=miss; stored');
  expect(await status({ 'cache-control': 'no-store' })).toBe(
    'inner; hit, cachescope-edge; fwd=request',
  );
});

test('a response without Date gets the time of its arrival, and keeps it (RFC 9110 section 6.6.1)', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) => {
    asked.response.sendDate = false;
    const isConfirmed = asked.request.headers['if-none-match'] !== undefined;
    if (isConfirmed) asked.response.writeHead(304).end();
    else answerWith(asked, 'answer', { etag: '"1"', 'cache-control': 'max-age=3600' });
  });
  const read = async () => {
    const reading = await edge.read('/a');
    await reading.whole;
    const { date, age } = reading.headers;
    return { date, age: Number(age) };
  };
  vi.setSystemTime('2026-01-01T00:00:00Z');
  await read();
  vi.setSystemTime('2026-01-01T00:59:00Z');
  expect(await read()).toEqual({ date: 'Thu, 01 Jan 2026 00:00:00 GMT', age: 3540 });
  vi.setSystemTime('2026-01-01T02:00:00Z');
  expect(await read()).toEqual({ date: 'Thu, 01 Jan 2026 02:00:00 GMT', age: 0 });
});
