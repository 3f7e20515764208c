import { execFileSync } from 'node:child_process';
import { createContext, runInContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import type { PageAttack, PageBatch, PageMessage, PageOrder } from './page-task.ts';

/** A made-up response of the origin, sent after `afterMs` ms. */
interface Given {
  afterMs: number;
  number?: number;
  bytes?: number;
  failure?: string;
}

interface Played {
  orders: (message: PageMessage) => PageOrder;
  origin: (path: string) => Given;
}

let script = '';
beforeAll(() => {
  // Printed by Node: the test runner would insert its own names into the functions that are sent as text.
  const module = new URL('./page.ts', import.meta.url).href;
  const print = `import(${JSON.stringify(module)}).then((it) => process.stdout.write(it.reclaimPage()))`;
  const page = execFileSync(process.execPath, ['--eval', print], { encoding: 'utf8' });
  script = /<script type="module">([^]*)<\/script>/.exec(page)?.[1] ?? '';
});

/** Runs the page's script outside a browser, between a made-up server and a made-up origin; returns its batches. */
async function play({ orders, origin }: Played): Promise<PageBatch[]> {
  const batches: PageBatch[] = [];
  const fetch = async (url: string, { body, signal }: { body?: string; signal?: AbortSignal }) => {
    if (url.startsWith('/message/')) {
      const message = JSON.parse(body ?? '') as PageMessage;
      if (message.kind === 'failed') throw new Error(message.reason);
      if (message.kind === 'batch') batches.push(message.batch);
      const order = orders(message);
      return { ok: true, json: () => Promise.resolve(order) };
    }
    const { afterMs, number, bytes = 3, failure } = origin(new URL(url).pathname);
    await new Promise<void>((resolve, reject) => {
      setTimeout(resolve, afterMs);
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    });
    if (failure !== undefined) throw new TypeError(failure);
    const headers = new Headers({ 'content-length': `${bytes - 1}` });
    if (number !== undefined) headers.set('cachescope-answer', `${number}`);
    return { status: 200, headers, arrayBuffer: () => Promise.resolve(new ArrayBuffer(bytes)) };
  };
  const world = { fetch, performance, setTimeout, AbortController, Date };
  const page = { ...world, location: { pathname: '/page/agent' }, crossOriginIsolated: true };
  await (runInContext(script, createContext(page)) as Promise<void>);
  return batches;
}

function attackOf(attack: Partial<PageAttack> = {}): PageAttack {
  const startsAt = performance.timeOrigin + performance.now() + 10;
  const common = { baseUrl: 'https://localhost:1', batchMs: 20, answerLimitMs: 1000 };
  return { startsAt, ...common, mostInFlight: 100, ...attack };
}

/** One order with all requests, `everyMs` ms apart. */
function allAtOnce(count: number, everyMs: number, attack: Partial<PageAttack> = {}) {
  const targets = Array.from(
    { length: count },
    (_, number) => [number * everyMs, `/items/n${number}`] as const,
  );
  return (message: PageMessage): PageOrder => {
    if (message.kind === 'ready')
      return { kind: 'attack', attack: attackOf(attack), targets, isLast: true };
    return message.kind === 'batch' && message.isDone
      ? { kind: 'end' }
      : { kind: 'targets', targets: [], isLast: true };
  };
}

function sentOf(batches: readonly PageBatch[]): (number | null)[] {
  return batches.flatMap(({ sentMs }) => sentMs);
}

test('requests are sent when they are due, independent of the responses', async () => {
  // The first response arrives after all other requests are due.
  const origin = (path: string) => ({ afterMs: path.endsWith('/n0') ? 600 : 1 });
  const batches = await play({ orders: allAtOnce(10, 5, { answerLimitMs: 60_000 }), origin });
  const sent = sentOf(batches);
  expect(sent).toHaveLength(10);
  for (const [number, ms] of sent.entries()) expect(ms).toBeGreaterThanOrEqual(number * 5);
  // The other nine were sent while the first was in flight.
  const ends = new Map(
    batches.flatMap(({ answers }) => answers).map((each) => [each.number, each.endMs]),
  );
  expect(sent[9]).toBeLessThan(ends.get(0) ?? 0);
  expect(ends.get(0)).toBeGreaterThanOrEqual(599);
});

test('batches are contiguous, and the last comes when all requests have ended', async () => {
  const batches = await play({ orders: allAtOnce(12, 5), origin: () => ({ afterMs: 30 }) });
  let next = 0;
  for (const { firstNumber, sentMs } of batches) {
    expect(firstNumber).toBe(next);
    next += sentMs.length;
  }
  expect(next).toBe(12);
  const numbers = batches.flatMap(({ answers }) => answers.map(({ number }) => number));
  expect(numbers.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 12 }, (_, n) => n),
  );
});

test('a response with a number that was seen before came from the cache', async () => {
  // The second request gets the first one's response again; the third is sent to the origin.
  const numbers: Record<string, number> = { '/items/n0': 7, '/items/n1': 7, '/items/n2': 8 };
  const origin = (path: string) => ({ afterMs: 1, number: numbers[path] ?? 0 });
  const batches = await play({ orders: allAtOnce(3, 25), origin });
  const answers = batches.flatMap((batch) => batch.answers);
  expect(answers.map(({ fromCache }) => fromCache)).toEqual([false, true, false]);
  expect(answers[0]).toMatchObject({ status: 200, error: null, bodyBytes: 3, encodedBytes: 2 });
});

test('a response shared with a request in flight came from the cache, and others are not affected', async () => {
  // Four requests are in flight together; the second gets the response of the first.
  const given: Record<string, Given> = {
    '/items/n0': { afterMs: 60, number: 7 },
    '/items/n1': { afterMs: 80, number: 7 },
    '/items/n2': { afterMs: 100, number: 7 + 65_536 },
    '/items/n3': { afterMs: 120, number: 8 },
  };
  const origin = (path: string) => given[path] ?? { afterMs: 1 };
  const batches = await play({ orders: allAtOnce(4, 1), origin });
  const answers = batches.flatMap((batch) => batch.answers);
  expect(answers.map(({ number, fromCache }) => [number, fromCache])).toEqual([
    [0, false],
    [1, true],
    [2, false],
    [3, false],
  ]);
});

test('without a number the source of a response is unknown', async () => {
  const batches = await play({ orders: allAtOnce(1, 1), origin: () => ({ afterMs: 1 }) });
  expect(batches.flatMap(({ answers }) => answers)[0]?.fromCache).toBeNull();
});

test('a failed request has its reason, and a request without a response is aborted', async () => {
  const origin = (path: string) =>
    path.endsWith('/n0') ? { afterMs: 1, failure: 'Failed to fetch' } : { afterMs: 5000 };
  const batches = await play({ orders: allAtOnce(2, 1, { answerLimitMs: 40 }), origin });
  const answers = batches.flatMap((batch) => batch.answers);
  expect(answers.map(({ status, error }) => [status, error])).toEqual([
    [0, 'TypeError: Failed to fetch'],
    [0, 'Error: no answer within 40 ms of the last request'],
  ]);
});

test('with too many in flight a request is dropped, and reported as such', async () => {
  const orders = allAtOnce(4, 1, { mostInFlight: 2, answerLimitMs: 60_000 });
  const batches = await play({ orders, origin: () => ({ afterMs: 600 }) });
  expect(sentOf(batches).map((ms) => ms === null)).toEqual([false, false, true, true]);
});

test('after a stop order it sends no more requests and waits for those in flight', async () => {
  const first = allAtOnce(1, 1);
  const orders = (message: PageMessage): PageOrder => {
    const order = first(message);
    if (order.kind === 'attack')
      return {
        ...order,
        targets: [
          [0, '/items/n0'],
          [5000, '/items/n1'],
        ],
        isLast: false,
      };
    return order.kind === 'targets' ? { kind: 'stop' } : order;
  };
  const batches = await play({ orders, origin: () => ({ afterMs: 60 }) });
  expect(sentOf(batches)).toHaveLength(1);
  expect(batches.flatMap(({ answers }) => answers)).toHaveLength(1);
});
