import { createCipheriv, createHash } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Origin, startOrigin } from '../server.ts';
import { poolBytes, StreamContent, streamStart } from './stream-content.ts';
import { streamPath } from './stream.ts';

let origin: Origin;
beforeAll(async () => {
  origin = await startOrigin({ workloads: [] });
});
afterAll(() => origin.close());

/** The pool of a seed, computed from the specification, independently of the code under test. */
function wholePool(_: unknown, seed: number): Buffer {
  const key = createHash('sha256').update(`cachescope stream ${seed}`).digest().subarray(0, 16);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(poolBytes));
}

function processorTimeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}

function expected(seed: number, name: string, bytes: number): Buffer {
  return expectedFrom(seed, name, 0, bytes);
}

function expectedFrom(seed: number, name: string, offset: number, bytes: number): Buffer {
  const pool = wholePool(null, seed);
  const start = streamStart(name) + offset;
  return Buffer.from(Array.from({ length: bytes }, (_, at) => pool[(start + at) % poolBytes] ?? 0));
}

interface Seen {
  answer: IncomingMessage;
  body: Buffer;
  /** Arrival time of each chunk, ms after the request. */
  atMs: number[];
  isWhole: boolean;
}

function read(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Seen> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(origin.url + path, { headers, method, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      const atMs: number[] = [];
      const end = (isWhole: boolean) =>
        resolve({ answer, body: Buffer.concat(chunks), atMs, isWhole });
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        atMs.push(performance.now() - startedAt);
      });
      answer.once('end', () => end(true));
      answer.once('error', () => end(false));
    }).once('error', reject);
  });
}

describe('a stream', () => {
  test('has the bytes of its seed and name, also across the end of their pool', async () => {
    const bytes = poolBytes + 1000;
    const { body } = await read(streamPath('around', { seed: 7, bytes, durationMs: 0 }));
    expect(body.equals(expected(7, 'around', bytes))).toBe(true);
    expect(new StreamContent(7, 'around').matches(0, body)).toBe(true);
    expect(new StreamContent(8, 'around').matches(0, body)).toBe(false);
    expect(new StreamContent(7, 'other').matches(0, body)).toBe(false);
    expect(new StreamContent(7, 'around').matches(1, body)).toBe(false);
  });

  test('arrives at its pace: no chunk is early', async () => {
    const pace = { bytes: 4000, durationMs: 400, chunkHz: 10 };
    const { body, atMs } = await read(streamPath('paced', pace));
    expect(body.length).toBe(4000);
    // Chunks may arrive together on a busy machine, but never early. That the first comes at once, the next test shows.
    expect(atMs.at(-1)).toBeGreaterThan(3 * 100 - 1);
  });

  test('is logged with the number of bytes sent, also when its reader leaves', async () => {
    const mark = origin.log.mark();
    const path = streamPath('left', { bytes: 1000, durationMs: 60_000, chunkHz: 1 });
    const request = get(origin.url + path, { agent: false });
    await new Promise<void>((resolve) =>
      request.once('response', (answer) =>
        answer.once('data', () => {
          request.destroy();
          resolve();
        }),
      ),
    );
    const [entry] = origin.log.since(mark);
    await expect.poll(() => entry?.bodyBytes).toBe(17);
  });

  test('breaks midway with dieAfterBytes', async () => {
    const path = streamPath('dying', {
      bytes: 3000,
      durationMs: 30,
      chunkHz: 100,
      dieAfterBytes: 1500,
    });
    const { body, isWhole } = await read(path);
    expect(isWhole).toBe(false);
    expect(body.length).toBeLessThanOrEqual(1500);
  });

  test('delays its header section with headDelayMs', async () => {
    const { atMs } = await read(streamPath('late', { bytes: 10, durationMs: 0, headDelayMs: 50 }));
    expect(atMs[0]).toBeGreaterThan(48);
  });

  test('ends at once, with no byte sent, when the reader leaves before the header section', async () => {
    const mark = origin.log.mark();
    const request = get(origin.url + streamPath('early', { headDelayMs: 60_000 }), {
      agent: false,
    });
    request.on('error', () => undefined);
    await expect.poll(() => origin.log.since(mark)).toHaveLength(1);
    expect(origin.log.since(mark)[0]?.bodyBytes).toBeNull();
    request.destroy();
    await expect.poll(() => origin.log.since(mark)[0]?.bodyBytes).toBe(0);
  });

  test('with many seeds only the sent bytes are computed and kept in memory, and they are correct', () => {
    const contents = Array.from({ length: 40 }, (_, seed) => new StreamContent(seed, 'many'));
    const views = contents.map((content) => content.view(0, 1000));
    const buffers = new Set(views.map(({ buffer }) => buffer));
    const heldBytes = [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0);
    expect(heldBytes).toBeLessThan(9 * 2 * poolBytes);
    expect(views.map((view, seed) => view.equals(expected(seed, 'many', 1000)))).toEqual(
      views.map(() => true),
    );
    const many = Array.from({ length: 400 }, (_, at) => contents[at % 40]);
    const parts = processorTimeOf(() => many.forEach((content) => content?.view(5000, 1000)));
    const pools = processorTimeOf(() => many.slice(0, 80).forEach(wholePool));
    expect(parts).toBeLessThan(pools);
  });

  test('a part of any pool is the same with few and with many seeds', () => {
    const content = new StreamContent(4711, 'part');
    for (const offset of [0, 1, 17, poolBytes - streamStart('part') - 5, 3 * poolBytes])
      expect(content.matches(offset, expectedFrom(4711, 'part', offset, 3000))).toBe(true);
  });

  test('a range request gets that part', async () => {
    const path = streamPath('ranged', { bytes: 1000, durationMs: 0 });
    const { answer, body } = await read(path, { range: 'bytes=100-199' });
    expect(answer.statusCode).toBe(206);
    expect(answer.headers['content-range']).toBe('bytes 100-199/1000');
    expect(body.equals(expected(1, 'ranged', 1000).subarray(100, 200))).toBe(true);
    const beyond = (await read(path, { range: 'bytes=1000-' })).answer;
    expect([beyond.statusCode, beyond.headers['cache-control']]).toEqual([416, 'no-store']);
    const other = await read(path, { range: 'bytes=100-199', 'if-range': '"other"' });
    expect([other.answer.statusCode, other.body.length]).toEqual([200, 1000]);
    const { etag = '' } = answer.headers;
    const own = await read(path, { range: 'bytes=100-199', 'if-range': etag });
    expect(own.answer.statusCode).toBe(206);
    for (const range of ['bytes=100-199', 'bytes=1000-']) {
      const { statusCode, headers } = (await read(path, { range }, 'HEAD')).answer;
      expect([statusCode, headers['content-length']]).toEqual([200, '1000']);
    }
  });

  test('is revalidated by its entity tag, and HEAD reports its length at once', async () => {
    const path = streamPath('tagged', { bytes: 1000, durationMs: 60_000 });
    const { headers } = (await read(path, {}, 'HEAD')).answer;
    expect(headers['content-length']).toBe('1000');
    for (const tags of [headers.etag ?? '', `"x", W/${headers.etag}`, '*']) {
      const again = await read(path, { 'if-none-match': tags });
      expect(again.answer.statusCode).toBe(304);
    }
  });

  test.each(['durationMs=-1', 'bytes=x', 'chunkHz=0', 'speed=1&bytes=-3'])(
    '%s is refused with the violated rule',
    async (query) => {
      const { answer, body } = await read(`/streams/bad?${query}`);
      expect(answer.statusCode).toBe(400);
      expect(body.toString()).toContain('querystring/');
    },
  );

  test('may be empty', async () => {
    const { answer, body } = await read(streamPath('empty', { bytes: 0 }));
    expect([answer.headers['content-length'], body.length]).toEqual(['0', 0]);
  });
});
