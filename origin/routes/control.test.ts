import fastify from 'fastify';
import { expect, test } from 'vitest';
import { name, originUnderTest, token } from '../origin-under-test.ts';
import { RequestLog } from '../request-log.ts';
import { resourcePath } from '../workloads/urls.ts';
import { controlRoutes } from './control.ts';
import { logRequests } from './logging.ts';

const under = originUnderTest();

test('control routes need the token, and no page of another origin can read them', async () => {
  for (const url of ['/control/log', '/control/health']) {
    for (const authorization of ['', 'Bearer secreT', 'secret', 'bearer', `Basic ${token}`]) {
      const refused = await under.get(url, { authorization });
      expect(refused.statusCode).toBe(401);
      expect(refused.json()).toMatchObject({ code: 'CS_ORIGIN_TOKEN' });
      expect(refused.body).not.toContain(token);
    }
    const allowed = await under.get(url, {
      authorization: `Bearer ${token}`,
      origin: 'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
    });
    expect(allowed.statusCode).toBe(200);
    expect(allowed.headers).not.toHaveProperty('access-control-allow-origin');
    expect(allowed.headers['cache-control']).toBe('no-store');
  }
});

test.each([
  { origin: 'https://o.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
])('a web page is refused even with the token: %j', async (headers) => {
  const authorization = `Bearer ${token}`;
  const refused = await under.get('/control/log', { authorization, ...headers });
  expect(refused.statusCode).toBe(403);
  expect(refused.json()).toMatchObject({ code: 'CS_ORIGIN_PAGE' });
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
});

test('the scheme of Authorization is case-insensitive', async () => {
  const answer = await under.get('/control/health', { authorization: `bearer ${token}` });
  expect(answer.statusCode).toBe(200);
});

test('the log over HTTP equals the log', async () => {
  const mark = under.origin.log.mark();
  await under.get(resourcePath(name), under.holder);
  const authorization = `Bearer ${token}`;
  const answer = await under.get(`/control/log?since=${mark}`, { authorization });
  const { requests } = answer.json<{ requests: object[] }>();
  expect(requests[0]).toEqual(under.origin.log.since(mark)[0]);
  expect((await under.get('/control/log?since=x', { authorization })).statusCode).toBe(400);
});

test('a mark before the oldest kept request is refused; without a mark all kept requests are returned', async () => {
  const log = new RequestLog(2);
  const server = fastify();
  logRequests(server, log);
  controlRoutes(server, token, log);
  const get = (url: string) =>
    server.inject({ url, headers: { authorization: `Bearer ${token}` } });
  for (let sent = 0; sent < 4; sent++) await get('/control/health');
  const refused = await get('/control/log?since=0');
  expect([refused.statusCode, refused.json().code]).toEqual([410, 'CS_ORIGIN_LOG']);
  const kept = (await get('/control/log')).json();
  expect(kept.requests[0].sequence).toBe(kept.oldest);
});
