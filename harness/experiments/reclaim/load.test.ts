import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { madeUpReclaimPlan } from '@cachescope/model/fixtures/reclaim.ts';
import { loadReport } from '@cachescope/model/reclaim/report.ts';
import { itemBody } from '@cachescope/origin/routes/reclaim.ts';
import { afterEach, expect, test } from 'vitest';
import { sendLoad } from './load.ts';
import type { AttackWindow } from './system.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends 500 requests a second for 60 ms to a server that responds with `answer`. */
async function attacked(
  answer: Parameters<typeof createServer>[1],
  shouldStop = () => false,
  answerLimitMs = 30_000,
) {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const plan = madeUpReclaimPlan({ rateHz: 500, timeMs: 60, payloadBytes: 100, windowMs: 20 });
  const windows: AttackWindow[] = [];
  await sendLoad(
    { plan, replay: [], url: `http://127.0.0.1:${port}`, answerLimitMs },
    {
      began: () => undefined,
      window: (window) => windows.push(window),
      shouldStop,
    },
  );
  return {
    windows,
    report: loadReport(
      windows.map(({ load }) => load),
      30,
    ),
  };
}

const keyOf = (url = ''): string => /items\/(\w+)/.exec(url)?.[1] ?? '';

test('requests are sent on schedule while earlier ones wait: a slow response delays no other request', async () => {
  const held: (() => void)[] = [];
  let beganMs = 0;
  let heldMs = 0;
  const { report } = await attacked((request, response) => {
    const key = keyOf(request.url);
    const end = () => void response.end(itemBody(key, 100));
    if (key === 'warmup') end();
    else if (held.push(end) === 1) beganMs = performance.now();
    // No response is sent before all 30 requests are in flight together.
    if (held.length < 30) return;
    heldMs = performance.now() - beganMs;
    for (const answer of held) answer();
  });
  expect(held).toHaveLength(30);
  expect(report).toMatchObject({ requests: 30, success: 1, bytesIn: 3000, hitRate: null });
  // Values in a histogram are accurate to a few percent.
  expect(report.latencies.max).toBeGreaterThanOrEqual(0.95 * heldMs);
});

test('wrong responses are reported: status codes, wrong bodies, broken connections', async () => {
  let answers = 0;
  const { report } = await attacked((request, response) => {
    const key = keyOf(request.url);
    const kind = key === 'warmup' ? 0 : answers++ % 4;
    if (kind === 1) response.writeHead(503).end();
    else if (kind === 2) response.end('somebody else’s');
    else if (kind === 3) response.destroy();
    else response.setHeader('cache-status', 'cachescope; hit').end(itemBody(key, 100));
  });
  expect(report.statuses).toEqual({ 0: 7, 200: 15, 503: 8 });
  expect(report.errors).toMatchObject({ 'wrong body': 7, ECONNRESET: 7 });
  expect(report.success).toBeCloseTo(8 / 30, 12);
});

test('a response that arrives byte by byte and does not end is still aborted', async () => {
  const { report } = await attacked(
    (request, response) => {
      const body = itemBody(keyOf(request.url), 100);
      if (keyOf(request.url) === 'warmup') {
        response.end(body);
        return;
      }
      let sent = 0;
      const dripping = setInterval(() => response.write(body.subarray(sent, ++sent)), 20);
      response.once('close', () => clearInterval(dripping));
    },
    undefined,
    200,
  );
  expect(report.errors).toEqual({ 'no response within 0.2 s': 30 });
  expect(report.latencies.max).toBeNull();
});

test('windows cover the whole load, and a load that is stopped before it begins sends nothing', async () => {
  const { windows, report } = await attacked(
    (request, response) => response.end(itemBody(keyOf(request.url), 100)),
    () => true,
  );
  expect(report.requests).toBe(0);
  const total = windows.reduce((sum, { spanMs }) => sum + spanMs, 0);
  expect(total).toBeCloseTo(windows.at(-1)?.atMs ?? 0, 6);
});
