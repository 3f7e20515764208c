import { expect, test } from 'vitest';
import { answerWith, edgeUnderTest } from './edge-under-test.ts';

test('a client that has the response gets 304, on a hit and on a miss, and the whole response is stored', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, 'answer', { etag: '"1"' }),
  );
  const headers = { 'if-none-match': 'W/"1", "2"' };
  expect((await edge.read('/a', { headers })).status).toBe(304);
  expect(edge.asked[0]?.request.headers['if-none-match']).toBeUndefined();
  expect(await edge.text('/a')).toBe('answer');
  expect((await edge.read('/a', { headers })).status).toBe(304);
  expect((await edge.read('/a', { headers: { 'if-none-match': '"2"' } })).status).toBe(200);
  expect(edge.asked).toHaveLength(1);
});

test('a range is served from the whole response, both stored and still arriving', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const ranged = edge.read('/a', { headers: { range: 'bytes=2-3' } });
  const asked = await edge.until(1);
  expect(asked.request.headers.range).toBeUndefined();
  asked.response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': '6' });
  asked.response.write('abcd');
  const part = await ranged;
  // The requested part has arrived, although the whole response has not.
  expect(await part.whole).toBe('cd');
  expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-3/6' } });
  const whole = edge.text('/a');
  asked.response.end('ef');
  expect(await whole).toBe('abcdef');
  for (const [range, status, text] of [
    ['bytes=4-', 206, 'ef'],
    ['bytes=-2', 206, 'ef'],
    ['bytes=6-', 416, ''],
    ['bytes=0-1,3-4', 200, 'abcdef'],
    ['lines=1-2', 200, 'abcdef'],
  ] as const) {
    const reading = await edge.read('/a', { headers: { range } });
    expect([reading.status, await reading.whole]).toEqual([status, text]);
  }
  for (const range of ['bytes=2-3', 'bytes=6-']) {
    const { status, headers } = await edge.read('/a', { method: 'HEAD', headers: { range } });
    expect([status, headers['content-length']]).toEqual([200, '6']);
  }
});

test('If-Range for another representation gets the whole response', async () => {
  const edge = await edgeUnderTest({ mode: 'lock' }, (asked) =>
    answerWith(asked, 'abcdef', { etag: '"1"' }),
  );
  const read = (tag: string) =>
    edge.read('/a', { headers: { range: 'bytes=0-0', 'if-range': tag } });
  expect((await read('"1"')).status).toBe(206);
  expect((await read('"2"')).status).toBe(200);
  expect((await read('W/"1"')).status).toBe(200);
});

test('If-Range with a date needs one that a later change cannot share (RFC 9110 section 8.8.2.2)', async () => {
  const sent = new Date(Math.floor(Date.now() / 1000) * 1000);
  const dated = (ageMs: number) => ({
    date: sent.toUTCString(),
    'last-modified': new Date(sent.getTime() - ageMs).toUTCString(),
  });
  const statusAt = async (ageMs: number) => {
    const edge = await edgeUnderTest({ mode: 'lock' }, (asked) =>
      answerWith(asked, 'abcdef', dated(ageMs)),
    );
    const headers = { range: 'bytes=0-0', 'if-range': dated(ageMs)['last-modified'] };
    return (await edge.read('/a', { headers })).status;
  };
  expect([await statusAt(0), await statusAt(2000)]).toEqual([200, 206]);
});

test('an entity tag may contain commas, and the answer to a range that cannot be satisfied is not stored', async () => {
  const edge = await edgeUnderTest({ mode: 'lock' }, (asked) =>
    answerWith(asked, 'abcdef', { etag: '"a,b"' }),
  );
  const statusOf = async (tags: string) =>
    (await edge.read('/a', { headers: { 'if-none-match': tags } })).status;
  expect([await statusOf('"x", W/"a,b"'), await statusOf('"a", "b"')]).toEqual([304, 200]);
  const { status, headers } = await edge.read('/a', { headers: { range: 'bytes=6-' } });
  expect([status, headers['cache-control']]).toEqual([416, 'no-store']);
});
