import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Asked, edgeUnderTest, eventually } from './edge-under-test.ts';

const kept = { 'cache-control': 'max-age=60', 'content-length': '8' };

function begin({ response }: Asked, text: string): void {
  response.writeHead(200, kept).write(text);
}

test('pass: every reader of an arriving response goes to the upstream separately', async () => {
  const edge = await edgeUnderTest({ mode: 'pass' });
  const readings = ['/file', '/file'].map((path) => edge.read(path));
  const [first, second] = [await edge.until(1), await edge.until(2)];
  begin(first, 'half');
  begin(second, 'half');
  first.response.end('left');
  second.response.end('left');
  for (const reading of readings) expect(await (await reading).whole).toBe('halfleft');
  const third = await edge.read('/file');
  expect(await third.whole).toBe('halfleft');
  expect(third.headers['cache-status']).toBe('cachescope-edge; hit');
  expect(edge.asked).toHaveLength(2);
});

test('lock: the other readers get nothing until the response is complete, and the upstream gets one request', async () => {
  const edge = await edgeUnderTest({ mode: 'lock' });
  const leading = edge.read('/file');
  begin(await edge.until(1), 'half');
  const leader = await leading;
  await eventually(() => leader.text() === 'half');
  const waiting = edge.read('/file');
  await eventually(() => edge.answers().length === 2);
  await nextTurn();
  expect(edge.answers()[1]?.headersSent).toBe(false);
  edge.asked[0]?.response.end('left');
  const follower = await waiting;
  expect(await follower.whole).toBe('halfleft');
  expect(follower.headers['cache-status']).toContain('collapsed');
  expect(await leader.whole).toBe('halfleft');
  expect(edge.asked).toHaveLength(1);
});

test('stream: the other readers get the bytes that have arrived at once, and the rest as it arrives', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const leading = edge.read('/file');
  begin(await edge.until(1), 'half');
  await leading;
  const follower = await edge.read('/file');
  await eventually(() => follower.text() === 'half');
  expect(follower.headers['cache-status']).toContain('collapsed');
  edge.asked[0]?.response.end('left');
  expect(await follower.whole).toBe('halfleft');
  expect(await (await leading).whole).toBe('halfleft');
  expect(edge.asked).toHaveLength(1);
});

test.each(['lock', 'stream'] as const)(
  '%s: requests before the arrival of the header section share the response',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    const readings = ['/file', '/file', '/file'].map((path) => edge.text(path));
    begin(await edge.until(1), 'half');
    edge.asked[0]?.response.end('left');
    expect(await Promise.all(readings)).toEqual(Array(3).fill('halfleft'));
    expect(edge.asked).toHaveLength(1);
  },
);

test.each(['lock', 'stream'] as const)(
  '%s: when the first reader leaves, the others continue',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    const leading = edge.read('/file');
    begin(await edge.until(1), 'half');
    const leader = await leading;
    const following = edge.text('/file');
    // The second request must have joined before the first reader leaves.
    await eventually(() => edge.answers().length === 2);
    leader.leave();
    await eventually(() => edge.answers()[0]?.destroyed === true);
    edge.asked[0]?.response.end('left');
    expect(await following).toBe('halfleft');
    expect(edge.asked).toHaveLength(1);
  },
);

test('stream: when the first reader leaves before the header section arrives, the other readers keep the fill', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const abort = new AbortController();
  const leading = edge.read('/file', { signal: abort.signal });
  const asked = await edge.until(1);
  const following = edge.text('/file');
  await eventually(() => edge.answers().length === 2);
  abort.abort();
  await expect(leading).rejects.toThrow('aborted');
  await eventually(() => edge.answers()[0]?.destroyed === true);
  begin(asked, 'half');
  asked.response.end('left');
  expect(await following).toBe('halfleft');
  expect(edge.asked).toHaveLength(1);
});

test.each(['pass', 'lock', 'stream'] as const)(
  '%s: when all readers leave, the upstream request is aborted, and no partial response is stored',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    const leading = edge.read('/file');
    const first = await edge.until(1);
    begin(first, 'half');
    (await leading).leave();
    await eventually(() => first.response.destroyed);
    expect(edge.storedBytes()).toBe(0);
    const again = edge.text('/file');
    begin(await edge.until(2), 'half');
    edge.asked[1]?.response.end('left');
    expect(await again).toBe('halfleft');
  },
);

test('stream: when the upstream fails midway, every reader’s connection breaks, and nothing is stored', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const leading = edge.read('/file');
  begin(await edge.until(1), 'half');
  const readings = [await leading, await edge.read('/file')];
  edge.asked[0]?.response.destroy();
  for (const { whole } of readings) await expect(whole).rejects.toThrow('aborted');
  expect(edge.storedBytes()).toBe(0);
  const again = edge.text('/file');
  begin(await edge.until(2), 'half');
  edge.asked[1]?.response.end('left');
  expect(await again).toBe('halfleft');
});

test('lock: when the upstream fails midway, a waiting reader sends a new request', async () => {
  const edge = await edgeUnderTest({ mode: 'lock' });
  const leading = edge.read('/file');
  begin(await edge.until(1), 'half');
  const leader = await leading;
  const waiting = edge.text('/file');
  await eventually(() => edge.answers().length === 2);
  edge.asked[0]?.response.destroy();
  await expect(leader.whole).rejects.toThrow('aborted');
  begin(await edge.until(2), 'half');
  edge.asked[1]?.response.end('left');
  expect(await waiting).toBe('halfleft');
});

test.each(['pass', 'lock', 'stream'] as const)(
  '%s: an unreachable upstream is 502 for all readers',
  async (mode) => {
    const edge = await edgeUnderTest({ mode });
    await edge.closeUpstream();
    const readings = await Promise.all(['/file', '/file'].map((path) => edge.read(path)));
    expect(readings.map(({ status }) => status)).toEqual([502, 502]);
  },
);

test('a request that gets no response says why it was forwarded (RFC 9211 section 2.2)', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const stale = edge.text('/stale');
  (await edge.until(1)).response
    .writeHead(200, { 'cache-control': 'max-age=0', etag: '"1"' })
    .end('old');
  await stale;
  await edge.closeUpstream();
  const status = async (path: string, request = {}) =>
    (await edge.read(path, request)).headers['cache-status'];
  const failed = (reason: string) => `cachescope-edge; fwd=${reason}; detail=failed`;
  expect(await status('/stale')).toBe(failed('stale'));
  expect(await status('/unknown')).toBe(failed('miss'));
  expect(await status('/unknown', { method: 'POST' })).toBe(failed('method'));
  expect(await status('/unknown', { headers: { 'cache-control': 'no-store' } })).toBe(
    failed('request'),
  );
  const atOnce = await Promise.all([status('/at-once'), status('/at-once')]);
  expect(new Set(atOnce)).toEqual(new Set([failed('miss'), failed('miss; collapsed')]));
});

test('a body without a length is complete only when the upstream ends it', async () => {
  const edge = await edgeUnderTest({ mode: 'stream' });
  const headers = { 'cache-control': 'max-age=60' };
  const leading = edge.read('/file');
  (await edge.until(1)).response.writeHead(200, headers).write('half');
  const broken = await leading;
  edge.asked[0]?.response.destroy();
  await expect(broken.whole).rejects.toThrow('aborted');
  const again = edge.text('/file');
  (await edge.until(2)).response.writeHead(200, headers).end('whole');
  expect(await again).toBe('whole');
  expect((await edge.read('/file')).headers['content-length']).toBe('5');
});
