import { expect, test } from 'vitest';
import { answerWith, edgeUnderTest } from './edge-under-test.ts';

/**
 * An edge whose upstream answers a request for the whole response with `first`, and a revalidation with `confirming`.
 */
function confirmedWith(first: Record<string, string>, confirming: Record<string, string>) {
  return edgeUnderTest({ mode: 'stream' }, (asked) => {
    if (asked.request.headers['if-none-match'] === undefined)
      return answerWith(asked, 'answer', { etag: '"1"', 'cache-control': 'max-age=0', ...first });
    asked.response.writeHead(304, { etag: '"1"', 'cache-control': 'max-age=60', ...confirming });
    asked.response.end();
  });
}

test.each([
  ['a cookie', { 'set-cookie': 'a=b' }],
  ['private', { 'cache-control': 'private, max-age=60' }],
  ['no-store', { 'cache-control': 'no-store' }],
  ['Vary: *', { vary: '*' }],
])(
  '%s in a 304 is for its client only, and the stored response is removed',
  async (_name, fields) => {
    const edge = await confirmedWith({}, fields);
    await edge.text('/a');
    const own = await edge.read('/a');
    expect(await own.whole).toBe('answer');
    for (const [name, value] of Object.entries(fields))
      expect(String(own.headers[name])).toBe(value);
    expect(edge.storedBytes()).toBe(0);
    const other = await edge.read('/a');
    expect(await other.whole).toBe('answer');
    expect(other.headers['set-cookie']).toBeUndefined();
    expect(edge.asked).toHaveLength(3);
  },
);

test('the fields named in the Vary of a 304 apply from then on', async () => {
  const edge = await confirmedWith({}, { vary: 'accept-language' });
  const read = (language: string) => edge.text('/a', { headers: { 'accept-language': language } });
  for (const language of ['de', 'de', 'de']) await read(language);
  expect(edge.asked).toHaveLength(2);
  await read('fr');
  expect(edge.asked).toHaveLength(3);
});

test('the Age of the previous response is not used after a revalidation', async () => {
  const edge = await confirmedWith({ age: '100' }, {});
  await edge.text('/a');
  expect((await edge.read('/a')).headers.age).toBe('0');
  expect((await edge.read('/a')).headers['cache-status']).toBe('cachescope-edge; hit');
});

test('a 304 with the entity tag of another response confirms nothing: the whole response is fetched', async () => {
  let version = 1;
  const edge = await edgeUnderTest({ mode: 'stream' }, (asked) => {
    const etag = `"${version}"`;
    if (asked.request.headers['if-none-match'] === undefined)
      return answerWith(asked, `answer ${version}`, { etag, 'cache-control': 'max-age=0' });
    version++;
    asked.response.writeHead(304, { etag: `"${version}"`, 'cache-control': 'max-age=60' }).end();
  });
  expect(await edge.text('/a')).toBe('answer 1');
  const again = await edge.read('/a');
  expect([await again.whole, again.headers.etag]).toEqual(['answer 2', '"2"']);
});
