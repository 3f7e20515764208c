import { expect, test, vi } from 'vitest';
import { proveEncoder } from './encoding/self-proof.ts';
import { originUnderTest } from './origin-under-test.ts';
import { startOrigin } from './server.ts';

vi.mock('./encoding/self-proof.ts', { spy: true });

const under = originUnderTest();

test('only this machine is listened to unless told otherwise', () => {
  expect(under.origin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(under.origin.server.addresses()).toMatchObject([{ address: '127.0.0.1' }]);
});

test('bad qualities are refused before anything is started', async () => {
  await expect(startOrigin({ qualities: { dcb: 4 } })).rejects.toMatchObject({
    code: 'CS_ORIGIN_QUALITY',
  });
});

test('an encoder that cannot prove itself serves nothing', async () => {
  vi.mocked(proveEncoder).mockRejectedValueOnce(new Error('not proved'));
  await expect(startOrigin({ workloads: [] })).rejects.toThrow('not proved');
});

test('a port that is taken is refused with the code that the command line explains', async () => {
  const port = Number(new URL(under.origin.url).port);
  await expect(startOrigin({ workloads: [], port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
