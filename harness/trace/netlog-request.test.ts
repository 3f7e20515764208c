import { expect, test } from 'vitest';
import { fixtureUrl, hitEvents, inPieces, traceText } from './trace-fixture.ts';
import { tracedRequest } from './netlog-request.ts';

const find = (events = hitEvents, url = fixtureUrl) =>
  tracedRequest(inPieces(traceText(events), 64), url);

test('requests that share a lane are distinguished, and the one for the URL is found', async () => {
  const { request } = await find();
  expect(request).toMatchObject({ url: fixtureUrl, beginUs: 3000, endUs: 48_300 });
  expect(request?.events).toHaveLength(24);
});

test('lanes of the same name in two processes are two lanes', async () => {
  const moved = hitEvents.map((event) =>
    event.name === 'REQUEST_ALIVE' && event.ts < 1000 ? { ...event, pid: 21 } : event,
  );
  expect((await find(moved)).request).toMatchObject({ beginUs: 3000 });
});

test('a request from before the page’s read is not the one', async () => {
  const early = hitEvents.map((event) =>
    event.name === 'cachescope-read-begin'
      ? { ...event, args: { data: { callTime: 4000 } } }
      : event,
  );
  expect((await find(early)).request).toBeNull();
});

test('a request without an end in the trace has no end', async () => {
  const { request, page } = await find(hitEvents.slice(0, 20));
  expect(request).toMatchObject({ beginUs: 3000, endUs: null });
  expect(page).toBeNull();
});

test('an unrelated trace contains no such request', async () => {
  expect((await find(hitEvents, 'http://127.0.0.1:8080/other')).request).toBeNull();
});
