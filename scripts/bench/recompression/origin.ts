import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** The origin's record of one request. */
export interface Asked {
  method: string;
  /** Path and query. */
  url: string;
  range: string | null;
  status: number;
  /** The dictionary was advertised, and the response was compressed with it. */
  hasDictionary: boolean;
}

/**
 * An origin of bodies with known hashes, sent as dcb or dcz when the client advertises the dictionary, otherwise
 * unencoded.
 */
export interface FixOrigin {
  url: string;
  /** The same files from another site. */
  otherSite: string;
  asked: Asked[];
  /** Decoded bytes by name: `text`, `noise`, `small`, `empty`. */
  bodies: Readonly<Record<string, Buffer>>;
  /** Called with a URL and the number of `parts` of its body sent so far. */
  onPart: (url: string, part: number) => void;
  close(): void;
}

/** Number of parts of a slow body, and the pause before each, ms. */
export const parts = 10;
const partPauseMs = 40;

const words = (random: () => number, bytes: number): Buffer => {
  const text: string[] = [];
  for (let length = 0; length < bytes; length += text.at(-1)?.length ?? 1)
    text.push(`value${Math.floor(random() * 5000)} = call(${Math.floor(random() * 97)});\n`);
  return Buffer.from(text.join('').slice(0, bytes));
};

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Starts the origin on loopback. */
export async function startFixOrigin(): Promise<FixOrigin> {
  const random = createRandom(16);
  const dictionary = words(random, 400_000);
  const bodies = {
    text: Buffer.concat([dictionary.subarray(0, 300_000), words(random, 700_000)]),
    noise: Buffer.from(Uint8Array.from({ length: 300_000 }, () => Math.floor(random() * 256))),
    small: words(random, 900),
    empty: Buffer.alloc(0),
  };
  const hash = `:${createHash('sha256').update(dictionary).digest('base64')}:`;
  const encoded = new Map<string, Buffer>();
  const asked: Asked[] = [];
  const times = new Map<string, number>();
  const origin: Pick<FixOrigin, 'onPart'> = { onPart: () => {} };
  const encodedAs = async (coding: 'dcb' | 'dcz', name: keyof typeof bodies): Promise<Buffer> => {
    const key = `${coding} ${name}`;
    const known =
      encoded.get(key) ??
      Buffer.from(await encode(coding, bodies[name], defaultQualities, dictionary));
    encoded.set(key, known);
    return known;
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://origin.invalid');
    const { searchParams: query, pathname } = url;
    const key = request.url ?? '';
    if (pathname === '/page')
      return void response
        .setHeader('Content-Type', 'text/html')
        .end('<!doctype html><title>p</title>');
    if (pathname === '/worker.js') {
      response.setHeader('Content-Type', 'text/javascript');
      return void response.end(
        'onfetch = (e) => e.respondWith(fetch(e.request)); onactivate = (e) => e.waitUntil(clients.claim()); oninstall = () => skipWaiting();',
      );
    }
    if (pathname === '/dictionary') {
      response.setHeader('Use-As-Dictionary', 'match="/r/*"');
      response.setHeader('Cache-Control', 'max-age=86400');
      return void response.end(dictionary);
    }
    const time = (times.get(key) ?? 0) + 1;
    times.set(key, time);
    const name = (query.get('body') ?? 'text') as keyof typeof bodies;
    const coding = query.get('coding') === 'dcb' ? 'dcb' : 'dcz';
    const hasDictionary =
      request.headers['available-dictionary'] === hash && pathname !== '/r/plain';
    const range = request.headers.range ?? null;
    const log = (status: number) =>
      asked.push({ method: request.method ?? '', url: key, range, status, hasDictionary });
    response.setHeader('Cache-Control', query.get('cc') ?? 'max-age=86400');
    response.setHeader('ETag', query.get('etag') ?? '"1"');
    response.setHeader('X-Time', String(time));
    response.setHeader('Content-Type', query.get('type') ?? 'text/javascript');
    response.setHeader('Vary', 'Available-Dictionary, Accept-Encoding, X-Vary');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Timing-Allow-Origin', '*');
    if (request.headers['if-none-match'] !== undefined && !query.has('changed')) {
      log(304);
      return void response.writeHead(304).end();
    }
    const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
    if (from !== undefined && !query.has('whole')) {
      const whole = bodies[name];
      const first = from === '' ? whole.length - Number(to) : Number(from);
      const last = from === '' || to === '' ? whole.length - 1 : Number(to);
      log(206);
      response.writeHead(206, { 'Content-Range': `bytes ${first}-${last}/${whole.length}` });
      return void response.end(whole.subarray(first, last + 1));
    }
    log(200);
    const body = hasDictionary ? await encodedAs(coding, name) : bodies[name];
    if (hasDictionary) response.setHeader('Content-Encoding', coding);
    response.setHeader('Content-Length', body.length);
    response.writeHead(200);
    if (request.method === 'HEAD') return void response.end();
    if (!query.has('slow')) return void response.end(body);
    const dies = time === 1 ? Number(query.get('dies') ?? parts) : parts;
    for (let part = 0; part < dies && !response.destroyed; part++) {
      await sleep(partPauseMs);
      const at = (share: number): number => Math.floor((body.length * share) / parts);
      response.write(body.subarray(at(part), at(part + 1)));
      origin.onPart(key, part + 1);
    }
    if (dies < parts) {
      await sleep(partPauseMs);
      response.destroy();
    } else response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(origin, {
    url: `http://127.0.0.1:${port}`,
    otherSite: `http://localhost:${port}`,
    asked,
    bodies,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
