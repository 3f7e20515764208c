import type { LabAnswer, LabState } from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OriginError } from '../error.ts';
import { type Origin, startOrigin } from '../server.ts';

const token = 'secret';
const state: LabState = {
  delayMs: 5,
  measuredDelayMs: 5.4,
  backEnd: 'nbd-delay',
  isLive: false,
  cacheBytes: null,
  canDropPageCache: true,
  busyWith: null,
  lastProblem: null,
  savedLoads: 0,
};
const load: Load = {
  schemaVersion: 1,
  id: 'one',
  url: 'http://localhost/',
  startedAt: '2026-11-20T23:00:00.000Z',
  navigationType: 'reload',
  depths: ['page'],
  domContentLoadedMs: null,
  loadMs: 0,
  resources: [],
  warnings: [],
};

/** The requests from the routes to the lab. */
const asked: unknown[] = [];
const answer = (willRestart: boolean, what: unknown): Promise<LabAnswer> => {
  asked.push(what);
  return Promise.resolve({ willRestart, state });
};
let origin: Origin;

beforeAll(async () => {
  origin = await startOrigin({
    workloads: [],
    token,
    lab: {
      state: () => Promise.resolve(state),
      setDelay: (request) => answer(true, request),
      dropPageCache: () => answer(false, 'drop'),
      clearHttpCache: () => Promise.reject(new OriginError('CS_LAB_BUSY', 'the lab is busy')),
      relaunch: () => Promise.reject(new Error('a defect')),
      saveLoad: (saved) => answer(false, saved).then(() => undefined),
      stored: () => Promise.resolve({ entries: [{ url: 'http://localhost/', storedBytes: 917 }] }),
    },
  });
});
afterAll(() => origin.close());

async function ask(method: 'GET' | 'POST', url: string, payload?: object, headers: object = {}) {
  asked.length = 0;
  const authorization = `Bearer ${token}`;
  const request = { method, url, headers: { authorization, ...headers } } as const;
  return origin.server.inject(payload ? { ...request, payload } : request);
}

test('state and stored sizes are returned', async () => {
  expect((await ask('GET', '/control/lab')).json()).toEqual(state);
  expect((await ask('GET', '/control/lab/stored')).json()).toEqual({
    entries: [{ url: 'http://localhost/', storedBytes: 917 }],
  });
});

test('an action that restarts the browser is answered with 202 before it is done', async () => {
  const delayed = await ask('POST', '/control/lab/delay', { delayMs: 20 });
  expect([delayed.statusCode, delayed.json()]).toEqual([202, { willRestart: true, state }]);
  expect(asked).toEqual([{ delayMs: 20 }]);
  expect((await ask('POST', '/control/lab/drop-page-cache')).statusCode).toBe(200);
});

test('an action that the lab refuses is 409 with the reason; a bug is 500 without details', async () => {
  const busy = await ask('POST', '/control/lab/clear-http-cache');
  expect([busy.statusCode, busy.json()]).toEqual([
    409,
    { code: 'CS_LAB_BUSY', message: 'the lab is busy' },
  ]);
  expect((await ask('POST', '/control/lab/relaunch')).statusCode).toBe(500);
});

test.each([{ delayMs: -1 }, { delayMs: 10_001 }, { delayMs: 1.5 }, { delayMs: '5' }, {}])(
  'an invalid delay is refused: %j',
  async (body) => {
    const refused = await ask('POST', '/control/lab/delay', body);
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      { code: 'CS_LAB_REQUEST', message: expect.stringMatching(/^the request: delayMs: /) },
    ]);
    expect(asked).toEqual([]);
  },
);

test('a load is saved completely, and an invalid load is refused with all problems', async () => {
  const saved = await ask('POST', '/control/lab/loads', load);
  expect([saved.statusCode, saved.body]).toEqual([204, '']);
  expect(asked).toEqual([load]);
  const refused = await ask('POST', '/control/lab/loads', { ...load, id: 1, depths: ['deep'] });
  expect(refused.statusCode).toBe(400);
  expect(refused.json<{ message: string }>().message).toMatch(/id: .*; the request: depths\.0: /);
  expect(asked).toEqual([]);
});

test('a load larger than the default limit of one MiB is accepted', async () => {
  const large = { ...load, warnings: ['x'.repeat(2_000_000)] };
  expect((await ask('POST', '/control/lab/loads', large)).statusCode).toBe(204);
});

test.each([{ origin: 'http://127.0.0.1:1' }, { 'sec-fetch-site': 'same-origin' }])(
  'a page cannot use the lab, even with the token: %j',
  async (headers) => {
    for (const path of ['delay', 'drop-page-cache', 'clear-http-cache', 'relaunch', 'loads']) {
      const refused = await ask('POST', `/control/lab/${path}`, { delayMs: 1 }, headers);
      expect(refused.statusCode).toBe(403);
    }
    expect(asked).toEqual([]);
  },
);

test('an origin without a lab has no lab routes', async () => {
  const plain = await startOrigin({ workloads: [], token });
  const headers = { authorization: `Bearer ${token}` };
  const answered = await plain.server.inject({ method: 'GET', url: '/control/lab', headers });
  expect(answered.statusCode).toBe(404);
  await plain.close();
});
