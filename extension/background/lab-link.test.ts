import { labLinkKey } from '@cachescope/model/explore/lab.ts';
import type { Load } from '@cachescope/model/load/load.ts';
import { expect, test, vi } from 'vitest';
import { startExtensionProcess } from '../fake-browser/extension-process.ts';
import { createLabSaver } from './lab-link.ts';

const link = { url: 'http://127.0.0.1:41234', token: 'secret' };

/** A lab that gives `answer` to each load, and a saver with the loads it may read. */
function lab(answer: () => Promise<Response> = kept) {
  const process = startExtensionProcess();
  const fetch = vi.fn((_url: string, _request: RequestInit) => answer());
  vi.stubGlobal('fetch', fetch);
  let change: (ids: readonly string[]) => void = () => undefined;
  const source = {
    loadsSince: vi.fn<(timeMs: number) => Promise<string[]>>(async () => []),
    readLoad: vi.fn(async (id: string): Promise<Load | null> => ({ id }) as Load),
    onLoadsChanged: (listener: typeof change) => void (change = listener),
  };
  return {
    ...process,
    fetch,
    source,
    saver: createLabSaver(source),
    change: (...ids: string[]) => change(ids),
    sent: () => fetch.mock.calls.map(([, { body }]) => JSON.parse(body as string).id as string),
  };
}

async function kept(): Promise<Response> {
  return new Response(null, { status: 204 });
}

test('a load is sent to the lab after 500 ms without a change, with the token of the run', async () => {
  const { saver, change, pass, fetch, sent } = lab();
  await saver.connect(link);
  change('A');
  await pass(400);
  change('A');
  await pass(499);
  expect(sent()).toEqual([]);
  await pass(1);
  expect(sent()).toEqual(['A']);
  const [url, request] = fetch.mock.calls[0] ?? [];
  expect(url).toBe('http://127.0.0.1:41234/control/lab/loads');
  expect(request).toMatchObject({ method: 'POST', headers: { authorization: 'Bearer secret' } });
  await pass(60_000);
  expect(sent()).toEqual(['A']);
});

test('a load that never stops changing is sent every 5 s', async () => {
  const { saver, change, pass, sent } = lab();
  await saver.connect(link);
  for (let timeMs = 0; timeMs < 10_000; timeMs += 250) {
    change('A');
    await pass(250);
  }
  expect(sent()).toEqual(['A', 'A']);
});

test('a load that changes while it is sent is sent again after 500 ms without a change', async () => {
  const { saver, change, pass, fetch, sent } = lab();
  await saver.connect(link);
  fetch.mockImplementation(() => {
    if (sent().length < 5) change('A');
    return kept();
  });
  change('A');
  await pass(2500);
  expect(sent()).toEqual(['A', 'A', 'A', 'A', 'A']);
});

test('without a lab nothing is sent', async () => {
  const { saver, change, pass, fetch } = lab();
  change('A');
  await pass(60_000);
  await saver.saveLoads();
  expect(fetch).not.toHaveBeenCalled();
});

test('an invalid stored link sends nothing', async () => {
  const { chrome, saver, change, fetch } = lab();
  await chrome.storage.session.set({ [labLinkKey]: { url: link.url } });
  change('A');
  await saver.saveLoads();
  expect(fetch).not.toHaveBeenCalled();
});

test('saving on request does not wait for quiet', async () => {
  const { saver, change, sent } = lab();
  await saver.connect(link);
  change('A', 'B');
  await saver.saveLoads();
  expect(sent()).toEqual(['A', 'B']);
});

test('a deleted load is not sent, and does not delay the others', async () => {
  const { saver, change, sent, source, pass } = lab();
  await saver.connect(link);
  source.readLoad.mockResolvedValueOnce(null);
  change('gone', 'B');
  await saver.saveLoads();
  await pass(60_000);
  expect(sent()).toEqual(['B']);
});

test.each([
  ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['fails', async () => new Response('disk full', { status: 500 })],
])('a lab that %s is retried, with the delay doubling each time', async (_, failing) => {
  const { saver, change, fetch, pass } = lab(failing);
  await saver.connect(link);
  change('A');
  await saver.saveLoads();
  const tries: number[] = [];
  for (let passedMs = 500; passedMs <= 100_000; passedMs += 500) {
    const before = fetch.mock.calls.length;
    await pass(500);
    if (fetch.mock.calls.length > before) tries.push(passedMs);
  }
  expect(tries).toEqual([1000, 3000, 7000, 15_000, 31_000, 61_000, 91_000]);
  fetch.mockImplementation(kept);
  await pass(30_000);
  const soFar = fetch.mock.calls.length;
  await pass(60_000);
  expect(fetch.mock.calls).toHaveLength(soFar);
});

test('a load that the lab refuses is not retried, and is reported once when loads are saved', async () => {
  const { saver, change, fetch, pass } = lab(
    async () => new Response('bad token', { status: 403 }),
  );
  await saver.connect(link);
  change('A', 'B', 'C');
  await pass(60_000);
  expect(fetch).toHaveBeenCalledTimes(3);
  await expect(saver.saveLoads()).rejects.toThrow(
    'the lab refused the load A (status 403: bad token), and 2 more: it is not saved there',
  );
  await saver.saveLoads();
});

test('a refused load that the lab accepts after a change is not reported as refused', async () => {
  const { saver, change, fetch, pass } = lab(kept);
  await saver.connect(link);
  fetch.mockResolvedValueOnce(new Response('too large', { status: 413 }));
  change('A');
  await pass(500);
  change('A');
  await saver.saveLoads();
  expect(fetch).toHaveBeenCalledTimes(2);
});

test('a restarted service worker sends all loads since the link was made', async () => {
  const { saver, source, pass, sent } = lab();
  await pass(1000);
  const connectedAtMs = Date.now();
  await saver.connect(link);
  await pass(60_000);
  source.loadsSince.mockResolvedValue(['A', 'B']);
  createLabSaver(source);
  await pass(500);
  expect(source.loadsSince).toHaveBeenCalledExactlyOnceWith(connectedAtMs);
  expect(sent()).toEqual(['A', 'B']);
});
