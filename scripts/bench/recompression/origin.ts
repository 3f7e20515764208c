import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** 1 MB of text, 300 kB that do not compress, 900 bytes, no byte. */
export type BodyName = 'text' | 'noise' | 'small' | 'empty';

/** The origin's record of one request. */
export interface Asked {
  method: string;
  /** Path and query. */
  url: string;
  range: string | null;
  status: number;
  /** The client advertised the dictionary. */
  hasDictionary: boolean;
  /** Content coding of a whole body; null: none, or no whole body was sent. */
  coding: 'dcb' | 'dcz' | null;
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
  /** Decoded bytes by name. */
  bodies: Readonly<Record<BodyName, Buffer>>;
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

/** Start and end (exclusive) of a single byte range, as in a Range field; null: it is none. */
export function boundsOf(range: string, bodyBytes: number): [start: number, end: number] | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || from + to === '') return null;
  if (from === '') return [bodyBytes - Number(to), bodyBytes];
  return [Number(from), to === '' ? bodyBytes : Number(to) + 1];
}

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
  const encodedAs = async (coding: 'dcb' | 'dcz', name: BodyName): Promise<Buffer> => {
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
    const name = (query.get('body') ?? 'text') as BodyName;
    const coding = query.get('coding') === 'dcb' ? 'dcb' : 'dcz';
    const hasDictionary =
      request.headers['available-dictionary'] === hash && pathname !== '/r/plain';
    const range = request.headers.range ?? null;
    const log = (status: number, sent: Asked['coding'] = null) =>
      asked.push({
        method: request.method ?? '',
        url: key,
        range,
        status,
        hasDictionary,
        coding: sent,
      });
    response.setHeader('Cache-Control', query.get('cc') ?? 'max-age=86400');
    response.setHeader('ETag', query.get('etag') ?? '"1"');
    response.setHeader('X-Time', String(time));
    response.setHeader('Content-Type', query.get('type') ?? 'text/javascript');
    response.setHeader('Vary', 'Available-Dictionary, Accept-Encoding, X-Vary');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Timing-Allow-Origin', '*');
    if (request.headers['if-none-match'] !== undefined && !query.has('changed')) {
      log(304);
      if (query.has('fresh304')) response.setHeader('Cache-Control', 'max-age=86400');
      if (query.has('coded304')) response.setHeader('Content-Encoding', coding);
      return void response.writeHead(304).end();
    }
    const whole = bodies[name];
    const bounds = query.has('whole') ? null : boundsOf(range ?? '', whole.length);
    const isCurrent = [undefined, response.getHeader('ETag')].includes(request.headers['if-range']);
    if (bounds && isCurrent) {
      const [start, end] = bounds;
      log(206);
      response.writeHead(206, { 'Content-Range': `bytes ${start}-${end - 1}/${whole.length}` });
      return void response.end(whole.subarray(start, end));
    }
    log(200, hasDictionary ? coding : null);
    const body = hasDictionary ? await encodedAs(coding, name) : whole;
    if (hasDictionary) response.setHeader('Content-Encoding', coding);
    response.setHeader('Content-Length', body.length);
    response.writeHead(200);
    if (request.method === 'HEAD') return void response.end();
    if (!query.has('slow')) return void response.end(body);
    const dies = time === 1 ? Number(query.get('dies') ?? parts) : parts;
    const held = time === 1 ? Number(query.get('held') ?? Infinity) : Infinity;
    // A held body is never complete: its last byte is not sent.
    const bytes = body.length - (held === parts ? 1 : 0);
    const at = (share: number): number => Math.floor((bytes * share) / parts);
    for (let part = 0; part < dies && !response.destroyed; part++) {
      await sleep(partPauseMs);
      response.write(body.subarray(at(part), at(part + 1)));
      origin.onPart(key, part + 1);
      if (part + 1 === held) return void (await once(response, 'close'));
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
