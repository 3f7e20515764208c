import { expect, test } from 'vitest';
import { answerWith, edgeUnderTest, eventually } from './edge-under-test.ts';
import { edgeModes } from './edge.ts';
import { entryBytes } from './response-store.ts';

const hit = 'cachescope-edge; hit';

test.each([
  ['no-store', 'no-store'],
  ['private', 'private, max-age=60'],
  ['s-maxage=0', 'max-age=60, s-maxage=0'],
  ['no Cache-Control', ''],
])('%s: not served from the store (RFC 9111 section 3)', async (_name, field) => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`, { 'cache-control': field }),
  );
  expect(await edge.text('/a')).toBe('answer 0');
  expect(await edge.text('/a')).toBe('answer 1');
});

test('neither a response with Set-Cookie nor a response to Authorization is shared', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(
      asked,
      `answer ${index}`,
      asked.request.url === '/cookie' ? { 'set-cookie': 'a=b' } : {},
    ),
  );
  for (const expected of ['answer 0', 'answer 1'])
    expect(await edge.text('/cookie')).toBe(expected);
  const headers = { authorization: 'Basic YTpi' };
  for (const expected of ['answer 2', 'answer 3'])
    expect(await edge.text('/secret', { headers })).toBe(expected);
});

test('s-maxage applies to a shared cache, and a hit reports its age and its status', async () => {
  const edge = await edgeUnderTest({ mode: 'lock' }, (asked) =>
    answerWith(asked, 'answer', { 'cache-control': 'max-age=0, s-maxage=60', age: '7' }),
  );
  await edge.text('/a');
  const second = await edge.read('/a');
  expect(second.headers).toMatchObject({
    age: '7',
    'cache-status': hit,
    via: '1.1 cachescope-edge',
  });
});

test('when a response turns out not to be shareable, each waiting request goes to the upstream', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const readings = ['/a', '/a', '/a'].map((path) => edge.text(path));
  answerWith(await edge.until(1), 'one', { 'cache-control': 'no-store' });
  answerWith(await edge.until(2), 'two', { 'cache-control': 'no-store' });
  answerWith(await edge.until(3), 'three', { 'cache-control': 'no-store' });
  expect((await Promise.all(readings)).toSorted()).toEqual(['one', 'three', 'two']);
});

test('Vary separates responses, also while they arrive', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, `in ${asked.request.headers['accept-language']}`, {
      vary: 'Accept-Language',
    }),
  );
  const inLanguage = (language: string) =>
    edge.text('/a', { headers: { 'accept-language': language } });
  const all = await Promise.all(['de', 'fr', 'de', 'fr'].map(inLanguage));
  expect(all).toEqual(['in de', 'in fr', 'in de', 'in fr']);
  expect(edge.asked).toHaveLength(2);
  expect(await inLanguage('fr')).toBe('in fr');
  expect(edge.asked).toHaveLength(2);
});

test('a field that a request lacks does not match an empty one (RFC 9111 section 4.1)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`, { vary: 'Accept-Encoding' }),
  );
  expect(await edge.text('/a')).toBe('answer 0');
  expect(await edge.text('/a', { headers: { 'accept-encoding': '' } })).toBe('answer 1');
});

test('a response with Vary: * is never served again', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`, { vary: '*' }),
  );
  for (const expected of ['answer 0', 'answer 1']) expect(await edge.text('/a')).toBe(expected);
});

test('a stale response is revalidated with its entity tag, and its fields are updated', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) => {
    if (index === 0)
      return answerWith(asked, 'answer', { 'cache-control': 'max-age=0', etag: '"1"' });
    expect(asked.request.headers['if-none-match']).toBe('"1"');
    asked.response
      .writeHead(304, { 'cache-control': 'max-age=60', etag: '"1"', 'x-new': 'yes' })
      .end();
  });
  await edge.text('/a');
  const second = await edge.read('/a');
  expect(await second.whole).toBe('answer');
  expect(second.headers['x-new']).toBe('yes');
  expect((await edge.read('/a')).headers['cache-status']).toBe(hit);
  expect(edge.asked).toHaveLength(2);
});

test('the size limit holds: the least recently used response is evicted, and a response that is too large passes without being stored', async () => {
  const limitBytes = 2 * entryBytes + 10;
  const edge = await edgeUnderTest({ mode: 'stream', limitBytes }, (asked) =>
    answerWith(asked, (asked.request.url ?? '').slice(1)),
  );
  for (const path of ['/aaaa', '/bbbb', '/aaaa', '/cccc']) await edge.text(path);
  expect(edge.storedBytes()).toBe(8);
  const asked = edge.asked.length;
  await edge.text('/aaaa');
  expect(edge.asked).toHaveLength(asked);
  await edge.text('/bbbb');
  expect(edge.asked).toHaveLength(asked + 1);
  const tooLong = 'd'.repeat(entryBytes + 11);
  expect(await edge.text(`/${tooLong}`)).toBe(tooLong);
  expect(edge.storedBytes()).toBe(8);
});

test.each(edgeModes)(
  '%s: a body of unknown length that exceeds the limit is delivered completely and not stored',
  async (mode) => {
    const size = 3 * 1024 ** 2;
    const edge = await edgeUnderTest({ mode, limitBytes: entryBytes + 1000 }, ({ response }) => {
      response.writeHead(200, { 'cache-control': 'max-age=60' });
      for (let part = 0; part < 3; part++) response.write('x'.repeat(size / 3));
      response.end();
    });
    const texts = await Promise.all(['/a', '/a'].map((path) => edge.text(path)));
    expect(texts.map(({ length }) => length)).toEqual([size, size]);
    expect(edge.storedBytes()).toBe(0);
  },
);

const large = 32 * 1024 ** 2;
const unread = [
  [304, { 'if-none-match': '"1"' }],
  [416, { range: `bytes=${large}-` }],
] as const;

test.each(
  edgeModes.flatMap((mode) => unread.map(([status, headers]) => ({ mode, status, headers }))),
)(
  '$mode: answering $status instead of a large body that is not stored closes the upstream response at once',
  async ({ mode, status, headers }) => {
    let open = 0;
    const edge = await edgeUnderTest({ mode }, ({ response }) => {
      open++;
      response.once('close', () => open--);
      const fields = { 'cache-control': 'no-store', etag: '"1"', 'content-length': `${large}` };
      response.writeHead(200, fields).end(Buffer.alloc(large));
    });
    const answers = await Promise.all(['/a', '/b'].map((path) => edge.read(path, { headers })));
    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    await eventually(() => open === 0);
    expect(edge.asked).toHaveLength(2);
  },
);

test.each(edgeModes)(
  '%s: a response that arrives while its target is changed is not stored',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    const leading = edge.read('/a');
    const old = await edge.until(1);
    old.response.writeHead(200, { 'cache-control': 'max-age=60', 'content-length': '6' });
    old.response.write('old');
    const leader = await leading;
    const changing = edge.text('/a', { method: 'POST', headers: { 'content-length': '0' } });
    answerWith(await edge.until(2), 'changed');
    await changing;
    // A request from here on is for the new response, which may be stored while the old one is still arriving.
    const asking = edge.read('/a');
    answerWith(await edge.until(3), 'new');
    const asked = await asking;
    expect(asked.headers['cache-status']).toBe('cachescope-edge; fwd=miss; stored');
    expect(await asked.whole).toBe('new');
    old.response.end('old');
    expect(await leader.whole).toBe('oldold');
    const again = await edge.read('/a');
    expect([await again.whole, again.headers['cache-status']]).toEqual(['new', hit]);
  },
);

test.each(edgeModes)(
  '%s: a response that was asked for before its target was changed is not stored',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    const leading = edge.text('/a');
    const old = await edge.until(1);
    const changing = edge.read('/a', { method: 'POST', headers: { 'content-length': '0' } });
    const { response } = await edge.until(2);
    response.writeHead(200);
    response.write('changed');
    // The header section is enough: the rest of the answer may take long.
    await changing;
    const asking = edge.text('/a');
    answerWith(await edge.until(3), 'new');
    expect(await asking).toBe('new');
    answerWith(old, 'old');
    expect(await leading).toBe('old');
    const again = await edge.read('/a');
    expect([await again.whole, again.headers['cache-status']]).toEqual(['new', hit]);
    response.end();
    await (
      await changing
    ).whole;
  },
);

test('an unsafe request is forwarded with its body, and invalidates the stored response of its target', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) => {
    const chunks: Buffer[] = [];
    asked.request.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.request.on('end', () =>
      answerWith(asked, `${index} ${Buffer.concat(chunks).toString()}`),
    );
  });
  expect(await edge.text('/a')).toBe('0 ');
  expect(await edge.text('/a')).toBe('0 ');
  // `get` of node:http ends the request at once, so the body is empty and its length is declared.
  const post = { method: 'POST', headers: { 'content-length': '0' } };
  expect(await edge.text('/a', post)).toBe('1 ');
  expect(await edge.text('/a')).toBe('2 ');
});

test('a safe request that is forwarded invalidates nothing (RFC 9111 section 4.4)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`),
  );
  expect(await edge.text('/a')).toBe('answer 0');
  expect(await edge.text('/a', { method: 'OPTIONS' })).toBe('answer 1');
  expect(await edge.text('/a')).toBe('answer 0');
});

test('HEAD is answered from the store, otherwise by the upstream', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) => answerWith(asked, 'answer'));
  await edge.text('/a', { method: 'HEAD' });
  await edge.text('/a');
  const head = await edge.read('/a', { method: 'HEAD' });
  expect(head.headers).toMatchObject({ 'content-length': '6', 'cache-status': hit });
  expect(edge.asked.map(({ request }) => request.method)).toEqual(['HEAD', 'GET']);
});

test('request directives: no-cache revalidates, no-store is forwarded, only-if-cached is 504', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`),
  );
  const read = (field: string) => edge.read('/a', { headers: { 'cache-control': field } });
  expect((await read('only-if-cached')).status).toBe(504);
  expect(await (await read('max-age=60')).whole).toBe('answer 0');
  expect(await (await read('only-if-cached')).whole).toBe('answer 0');
  expect(await (await read('no-cache')).whole).toBe('answer 1');
  expect(await (await read('no-store')).whole).toBe('answer 2');
  expect(await edge.text('/a')).toBe('answer 1');
});

test('hop-by-hop fields are not forwarded, in either direction', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, 'answer', { connection: 'x-hop', 'x-hop': '1', 'x-end': '2' }),
  );
  const headers = { connection: 'x-mine', 'x-mine': '1', te: 'trailers' };
  const reading = await edge.read('/a', { headers });
  expect(reading.headers['x-hop']).toBeUndefined();
  expect(reading.headers['x-end']).toBe('2');
  expect(edge.asked[0]?.request.headers).not.toHaveProperty('x-mine');
  expect(edge.asked[0]?.request.headers).not.toHaveProperty('te');
});

test('a target in absolute form is the same resource: it is stored once, and an unsafe request invalidates it', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`),
  );
  const absolute = { path: `${edge.url}/a?x` };
  expect(await edge.text('/a?x')).toBe('answer 0');
  expect(await edge.text('/', absolute)).toBe('answer 0');
  await edge.text('/', { ...absolute, method: 'POST' });
  expect(edge.asked.map(({ request }) => request.url)).toEqual(['/a?x', '/a?x']);
  expect(await edge.text('/a?x')).toBe('answer 2');
});

test('an unsafe request invalidates the targets in its response’s Location and Content-Location, on this host only', async () => {
  const named = { location: '/b?x', 'content-location': 'http://other.example/c' };
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) =>
    answerWith(asked, `answer ${index}`, asked.request.method === 'POST' ? named : {}),
  );
  const paths = ['/a', '/b?x', '/c'];
  for (const path of paths) await edge.text(path);
  await edge.text('/a', { method: 'POST' });
  const again: string[] = [];
  for (const path of paths) again.push(await edge.text(path));
  expect(again).toEqual(['answer 4', 'answer 5', 'answer 2']);
});
