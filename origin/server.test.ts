import { expect, test } from 'vitest';
import { originUnderTest } from './origin-under-test.ts';
import { startOrigin } from './server.ts';

const under = originUnderTest();

test('only this machine is listened to unless told otherwise', () => {
  expect(under.origin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('bad qualities are refused before anything is started', async () => {
  await expect(startOrigin({ qualities: { dcb: 4 } })).rejects.toMatchObject({
    code: 'CS_ORIGIN_QUALITY',
  });
});
