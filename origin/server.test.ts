import { expect, onTestFinished, test, vi } from 'vitest';
import { proveEncoder } from './encoding/self-proof.ts';
import { originUnderTest } from './origin-under-test.ts';
import { startOrigin } from './server.ts';

vi.mock('./encoding/self-proof.ts', { spy: true });

const under = originUnderTest();

test('the origin listens only on loopback unless an address is given', () => {
  expect(under.origin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(under.origin.server.addresses()).toMatchObject([{ address: '127.0.0.1' }]);
});

test('invalid qualities are refused before anything is started', async () => {
  await expect(startOrigin({ qualities: { dcb: 4 } })).rejects.toMatchObject({
    code: 'CS_ORIGIN_QUALITY',
  });
});

test('an encoder that fails its proof serves nothing', async () => {
  vi.mocked(proveEncoder).mockRejectedValueOnce(new Error('not proved'));
  await expect(startOrigin({ workloads: [] })).rejects.toThrow('not proved');
});

test('a port in use is refused with the error code that the command line explains', async () => {
  const port = Number(new URL(under.origin.url).port);
  await expect(startOrigin({ workloads: [], port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a request above the rate limit is answered with 429, and is in the log', async () => {
  // The allowance grows with time.
  vi.useFakeTimers({ toFake: ['Date'] });
  const open = await startOrigin({ workloads: [], host: '0.0.0.0' });
  onTestFinished(() => open.close());
  onTestFinished(() => void vi.useRealTimers());
  const ask = () => open.server.inject('/nothing');
  for (let sent = 0; sent < 10_000; sent++) await ask();
  const { statusCode, body } = await ask();
  expect([statusCode, body]).toEqual([429, 'Too many requests\n']);
  expect(open.log.since(10_000)).toMatchObject([{ path: '/nothing', status: 429 }]);
});
