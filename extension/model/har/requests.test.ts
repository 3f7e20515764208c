import { expect, test } from 'vitest';
import { readHarRequests } from './requests.ts';

test('a 304 response does not determine the size', () => {
  const entry = (status: number, size: number) => ({
    startedDateTime: '2026-11-20T23:00:00.000Z',
    request: { method: 'GET', url: 'https://a.example/' },
    response: { status, content: { size } },
  });
  const entries = [entry(200, 700), entry(304, 0), entry(304, 5)];
  expect(readHarRequests('x.har', { log: { version: '1.2', entries } })).toMatchObject({
    value: { requests: [{ bytes: 700 }, { bytes: null }, { bytes: null }], malformed: 0 },
  });
});
