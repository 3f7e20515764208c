import { expect, test } from 'vitest';
import { readHarRequests } from './requests.ts';

const entry = (status: number, size: number, url = 'https://a.example/') => ({
  startedDateTime: '2026-11-20T23:00:00.000Z',
  request: { method: 'GET', url },
  response: { status, content: { size } },
});

test('a 304 response does not determine the size', () => {
  const entries = [entry(200, 700), entry(304, 0), entry(304, 5)];
  expect(readHarRequests('x.har', { log: { version: '1.2', entries } })).toMatchObject({
    value: { requests: [{ bytes: 700 }, { bytes: null }, { bytes: null }], malformed: 0 },
  });
});

test('requests that failed or did not use HTTP are counted and not replayed', () => {
  const entries = [
    entry(200, 5, 'data:text/plain,hello'),
    entry(200, 9, 'chrome-extension://abc/x.js'),
    entry(0, 0),
    entry(200, 700, 'HTTP://a.example/'),
  ];
  expect(readHarRequests('x.har', { log: { version: '1.2', entries } })).toMatchObject({
    value: {
      requests: [{ bytes: 700 }],
      otherMethods: 0,
      malformed: 3,
      firstMalformed: 'x.har: "data:text/plain,hello" has no HTTP response',
    },
  });
});
