import { Script } from 'node:vm';
import type { MicroMessage } from '@cachescope/model/micro/task.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Origin, startOrigin } from '../server.ts';
import { microPage, microWorker } from './micro-page.ts';

const heard: [pageId: string, message: MicroMessage][] = [];
let origin: Origin;
beforeAll(async () => {
  const next = (pageId: string, message: MicroMessage) => {
    heard.push([pageId, message]);
    return Promise.resolve({ kind: 'end' } as const);
  };
  origin = await startOrigin({ workloads: [], micro: { next } });
});
afterAll(() => origin.close());

const get = (url: string) => origin.server.inject({ method: 'GET', url });

test('an entry has the requested size, and is cacheable unless store=no', async () => {
  for (const path of ['/micro/entry', '/micro/worked/entry', '/micro/script']) {
    const kept = await get(`${path}/1024?key=7`);
    expect(kept.rawPayload).toHaveLength(1024);
    expect(kept.headers['cache-control']).toContain('max-age');
    expect(kept.headers['content-encoding']).toBeUndefined();
    const { headers } = await get(`${path}/1024?key=7&store=no`);
    expect(headers['cache-control']).toBe('no-store');
  }
});

test.each(['0', '-1', '1.5', 'many', '3221225472'])(
  'an entry of %s bytes is refused',
  async (bytes) => {
    expect(await get(`/micro/entry/${bytes}`)).toMatchObject({ statusCode: 404 });
  },
);

test('the clear route sends Clear-Site-Data, and is itself never stored', async () => {
  const { headers } = await get('/micro/clear');
  expect(headers).toMatchObject({ 'clear-site-data': '"cache"', 'cache-control': 'no-store' });
});

test('a page sends its message and gets its task', async () => {
  const message: MicroMessage = { kind: 'ready', timerStepMs: 0.005, crossOriginIsolated: true };
  const answer = await origin.server.inject({
    method: 'POST',
    url: '/micro/tasks/some-page',
    payload: message,
  });
  expect(answer.json()).toEqual({ kind: 'end' });
  expect(heard.at(-1)).toEqual(['some-page', message]);
});

test('pages are cross-origin isolated, so that they have the fine clock', async () => {
  for (const path of ['/micro/page/x', '/micro/worked/page/x', '/micro/worked/page/worker.js']) {
    expect((await get(path)).headers).toMatchObject({
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
      'cache-control': 'no-store',
    });
  }
});

test('the scripts of the page and its worker are valid JavaScript, without types', () => {
  const [, script = ''] = /<script type="module">([\s\S]*)<\/script>/.exec(microPage(true)) ?? [];
  // Constructing a Script parses it without running it.
  for (const text of [script, microWorker()]) expect(() => new Script(text)).not.toThrow();
  expect(() => new Script('const step: number = 1;')).toThrow(SyntaxError);
});

test('without a task tasks these pages do not exist', async () => {
  const other = await startOrigin({ workloads: [] });
  const answer = await other.server.inject({ method: 'GET', url: '/micro/page/x' });
  expect(answer.statusCode).toBe(404);
  await other.close();
});
