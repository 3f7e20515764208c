import { expect, test } from 'vitest';
import { answerWith, type Asked, edgeUnderTest } from './edge-under-test.ts';

/** Answers with the value of a field as it was received. */
const echo =
  (name: string) =>
  (asked: Asked): void =>
    answerWith(asked, String(asked.request.headers[name]), { vary: name });

const named = [
  ['accept-encoding', 'br'],
  ['available-dictionary', ':pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4=:'],
  ['origin', 'https://example.com'],
  ['user-agent', 'a'],
] as const;

test.each(named)(
  'a request whose Connection names %s stores no response for requests that have it',
  async (name, value) => {
    const edge = await edgeUnderTest({ mode: 'stream' }, echo(name));
    const connection = `close, ${name.toUpperCase()}`;
    const hidden = { headers: { [name]: value, connection } };
    expect(await edge.text('/a', hidden)).toBe('undefined');
    expect(await edge.text('/a', { headers: { [name]: value } })).toBe(value);
    expect(await edge.text('/a')).toBe('undefined');
    expect(await edge.text('/a', hidden)).toBe('undefined');
    expect(edge.asked).toHaveLength(2);
  },
);

test.each([
  ['te', 'trailers'],
  ['keep-alive', 'timeout=5'],
  ['proxy-authorization', 'Basic YTpi'],
  ['proxy-connection', 'keep-alive'],
  ['upgrade', 'h2c'],
  ['range', 'bytes=0-1'],
  ['if-none-match', '"1"'],
  ['expect', '100-continue'],
])('%s is not forwarded, so under Vary it selects nothing', async (name, value) => {
  const edge = await edgeUnderTest({ mode: 'stream' }, echo(name));
  await edge.text('/a', { headers: { [name]: value } });
  expect(await edge.text('/a')).toBe('undefined');
  expect(edge.asked).toHaveLength(1);
});

test('Host is that of the upstream, so under Vary it selects nothing', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, echo('host'));
  const first = await edge.text('/a', { headers: { host: 'example.com' } });
  expect(await edge.text('/a')).toBe(first);
  expect(edge.asked).toHaveLength(1);
});

test.each(['Cache-Control', 'vary', 'Set-Cookie', 'content-encoding', 'expires'])(
  'a response whose Connection names %s is not stored (RFC 9111 section 3.1)',
  async (name) => {
    const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
      answerWith(asked, 'answer', { [name]: 'x', connection: `close, ${name}`, etag: '"1"' }),
    );
    for (let count = 0; count < 2; count++) {
      const { headers, whole } = await edge.read('/a');
      expect(headers).not.toHaveProperty(name.toLowerCase());
      await whole;
    }
    expect(edge.asked).toHaveLength(2);
  },
);

test('other fields that Connection names are neither stored nor forwarded', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) =>
    answerWith(asked, 'answer', {
      connection: 'close, X-Hop',
      'x-hop': 'a',
      'proxy-authentication-info': 'b',
      'x-end': 'c',
    }),
  );
  for (let count = 0; count < 2; count++) {
    const { headers, whole } = await edge.read('/a');
    expect(headers).toMatchObject({ 'x-end': 'c' });
    expect(headers).not.toHaveProperty('x-hop');
    expect(headers).not.toHaveProperty('proxy-authentication-info');
    await whole;
  }
  expect(edge.asked).toHaveLength(1);
});

test('a 304 whose Connection names Cache-Control ends the storage of its response', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked, index) => {
    const fields = { etag: '"1"', 'cache-control': 'private', connection: 'close, cache-control' };
    if (index === 1) asked.response.writeHead(304, fields).end();
    else answerWith(asked, 'answer', { etag: '"1"', 'cache-control': 'max-age=60' });
  });
  await edge.text('/a');
  expect(await edge.text('/a', { headers: { 'cache-control': 'no-cache' } })).toBe('answer');
  expect(edge.storedBytes()).toBe(0);
});
