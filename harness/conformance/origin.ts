import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '@cachescope/model/statistics/random.ts';
import { encode } from '@cachescope/origin/encoding/encoder.ts';
import { defaultQualities } from '@cachescope/origin/encoding/qualities.ts';
import { type Answer, bodyBytes, type BodyName, type Field, fieldsAt, parts } from './situation.ts';

/** The origin's record of one request. */
export interface Asked {
  method: string;
  path: string;
  range: string | null;
  status: number;
  /** The client advertised the dictionary. */
  hasDictionary: boolean;
  /** Content coding of a whole body; null: none, or no whole body was sent. */
  coding: 'dcb' | 'dcz' | null;
}

/** Pause before each part of a slow body, ms. */
const partPauseMs = 40;

/** Paths with fixed answers. The dictionary is for all paths below `/r/`. */
export const dictionaryPath = '/dictionary';
export const workerPath = '/worker.js';
export const probePath = '/r/probe/';
const probe: Answer = { body: 'small', cacheControl: 'no-store' };

const passingWorker = `onfetch = (event) => event.respondWith(fetch(event.request));
onactivate = (event) => event.waitUntil(clients.claim());
oninstall = () => skipWaiting();`;

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

/** Start and end (exclusive) of a single byte range, as in a Range field; null: it is none. */
export function boundsOf(range: string, length: number): [start: number, end: number] | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (from === undefined || to === undefined || from + to === '') return null;
  if (from === '') return [length - Number(to), length];
  return [Number(from), to === '' ? length : Number(to) + 1];
}

function sourceCode(random: () => number, bytes: number): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)?.length ?? 1)
    lines.push(`value${Math.floor(random() * 5000)} = call(${Math.floor(random() * 97)});\n`);
  return Buffer.from(lines.join('').slice(0, bytes));
}

/**
 * An origin on loopback that answers as situations say: with bodies of known hashes, as dcb or dcz when the client
 * advertises the dictionary, otherwise unencoded.
 */
export class ConformanceOrigin implements AsyncDisposable {
  /** Answers by path: those of the situation that is played. */
  readonly answers = new Map<string, Answer>();
  /** Header fields of documents by path. */
  readonly documents = new Map<string, readonly Field[]>();
  readonly asked: Asked[] = [];
  readonly #bodies: Readonly<Record<BodyName, Buffer>>;
  readonly #dictionary: Buffer;
  readonly #hash: string;
  readonly #encoded = new Map<string, Promise<Buffer>>();
  readonly #times = new Map<string, number>();
  readonly #partsSent = new Map<string, number>();
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  private constructor() {
    const random = createRandom(16);
    this.#dictionary = sourceCode(random, 400_000);
    const shared = this.#dictionary.subarray(0, 300_000);
    const noise = () => Math.floor(random() * 256);
    this.#bodies = {
      text: Buffer.concat([shared, sourceCode(random, bodyBytes.text - shared.length)]),
      noise: Buffer.from(Uint8Array.from({ length: bodyBytes.noise }, noise)),
      small: sourceCode(random, bodyBytes.small),
      empty: Buffer.alloc(bodyBytes.empty),
    };
    this.#hash = `:${createHash('sha256').update(this.#dictionary).digest('base64')}:`;
  }

  static async start(): Promise<ConformanceOrigin> {
    const origin = new ConformanceOrigin();
    await new Promise<void>((resolve) => origin.#server.listen(0, '127.0.0.1', resolve));
    return origin;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The same files from another site. */
  get otherSite(): string {
    return this.url.replace('127.0.0.1', 'localhost');
  }

  /** Decoded bytes of an answer. `version`: of a body that changes, the number of the request, from 1. */
  body({ body = 'text', changes }: Answer, version: number): Buffer {
    const whole = this.#bodies[body];
    return changes ? Buffer.concat([Buffer.from(`// ${version}\n`), whole]) : whole;
  }

  /** How often a path was asked for. */
  timesOf(path: string): number {
    return this.#times.get(path) ?? 0;
  }

  /** Parts of a slow body that were sent so far. */
  partsOf(path: string): number {
    return this.#partsSent.get(path) ?? 0;
  }

  /** Resolves once a condition holds that depends on requests and parts. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.closeAllConnections();
    this.#server.close();
    await closed;
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const answer = path.startsWith(probePath) ? probe : this.answers.get(path);
    if (answer) return this.#answer({ request, response, path, answer });
    if (path === dictionaryPath) {
      response.setHeader('Use-As-Dictionary', 'match="/r/*"');
      response.setHeader('Cache-Control', 'max-age=86400');
      return void response.end(this.#dictionary);
    }
    const isWorker = path === workerPath;
    const document = '<!doctype html><title>A page</title><link rel="icon" href="data:,">';
    for (const [name, value] of fieldsAt(this.documents.get(path) ?? [], Date.now()))
      response.setHeader(name, value);
    response.setHeader('Content-Type', isWorker ? 'text/javascript' : 'text/html');
    response.end(isWorker ? passingWorker : document);
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response, path, answer } = exchange;
    const { method = '' } = request;
    const range = request.headers.range ?? null;
    const hasDictionary = request.headers['available-dictionary'] === this.#hash;
    const log = (status: number, coding: Asked['coding'] = null) => {
      this.asked.push({ method, path, range, status, hasDictionary, coding });
      this.#changed();
    };
    const version = this.timesOf(path) + 1;
    if (method !== 'OPTIONS') this.#times.set(path, version);
    setFields(exchange, version);
    if (method === 'OPTIONS') {
      log(204);
      return void response.writeHead(204).end();
    }
    if (isKnown(exchange)) {
      log(304);
      setAll(response, answer.on304 ?? []);
      return void response.writeHead(304).end();
    }
    const whole = this.body(answer, version);
    const bounds = answer.isWhole ? null : boundsOf(range ?? '', whole.length);
    const isCurrent = [undefined, response.getHeader('ETag')].includes(request.headers['if-range']);
    if (bounds && isCurrent) {
      const [start, end] = bounds;
      log(206);
      response.writeHead(206, { 'Content-Range': `bytes ${start}-${end - 1}/${whole.length}` });
      return void response.end(whole.subarray(start, end));
    }
    const { status = 200, coding = 'dcz' } = answer;
    const isEncoded = hasDictionary && !answer.isBare && !answer.changes;
    log(status, isEncoded ? coding : null);
    const body = isEncoded ? await this.#encodedAs(coding, answer.body ?? 'text') : whole;
    if (isEncoded) response.setHeader('Content-Encoding', coding);
    response.setHeader('Content-Length', body.length);
    response.writeHead(status);
    if (method === 'HEAD') return void response.end();
    if (answer.slow) return this.#sendSlowly(exchange, body, version === 1);
    response.end(body);
  }

  async #sendSlowly({ response, path, answer }: Exchange, body: Buffer, isFirst: boolean) {
    const { diesAfter = parts, holdsAfter = Infinity } = isFirst ? (answer.slow ?? {}) : {};
    // A held body is never complete: its last byte is not sent.
    const bytes = body.length - (holdsAfter === parts ? 1 : 0);
    const at = (part: number): number => Math.floor((bytes * part) / parts);
    for (let part = 0; part < diesAfter && !response.destroyed; part++) {
      await sleep(partPauseMs);
      response.write(body.subarray(at(part), at(part + 1)));
      this.#partsSent.set(path, part + 1);
      this.#changed();
      if (part + 1 === holdsAfter) {
        await once(response, 'close');
        return;
      }
    }
    if (diesAfter < parts) {
      await sleep(partPauseMs);
      response.destroy();
    } else response.end();
  }

  #encodedAs(coding: 'dcb' | 'dcz', name: BodyName): Promise<Buffer> {
    const key = `${coding} ${name}`;
    const encoding =
      this.#encoded.get(key) ??
      encode(coding, this.#bodies[name], defaultQualities, this.#dictionary).then((bytes) =>
        Buffer.from(bytes),
      );
    this.#encoded.set(key, encoding);
    return encoding;
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  answer: Answer;
}

/** Repeated names make repeated lines. */
function setAll(response: ServerResponse, fields: readonly Field[]): void {
  const lines = Map.groupBy(fieldsAt(fields, Date.now()), ([name]) => name.toLowerCase());
  for (const [name, own] of lines) {
    const values = own.map(([, value]) => value);
    response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  }
}

function setFields({ request, response, path, answer }: Exchange, version: number): void {
  const { isBare, changes, without = [], location, allowsCredentials, fields = [] } = answer;
  const readable: Field[] = [
    ['X-Time', `${version}`],
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Allow-Headers', '*'],
    ['Access-Control-Allow-Methods', '*'],
    ['Access-Control-Expose-Headers', '*'],
    ['Timing-Allow-Origin', '*'],
  ];
  const cached: Field[] = [
    ['Cache-Control', answer.cacheControl ?? 'max-age=86400'],
    ['ETag', changes ? `"${version}"` : '"1"'],
    ['Content-Type', 'text/javascript'],
    ['Vary', 'Available-Dictionary, Accept-Encoding, X-Vary'],
  ];
  setAll(response, [...readable, ...(isBare ? [] : cached)]);
  if (isBare) response.sendDate = false;
  if (allowsCredentials) {
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '*');
    response.setHeader('Access-Control-Allow-Credentials', 'true');
  }
  if (location !== undefined) response.setHeader('Location', path.replace(/[^/]*$/, location));
  for (const name of without) response.removeHeader(name);
  setAll(response, fields);
}

/** Whether the client names the response that it would get: the answer is then 304 (RFC 9110 section 13). */
function isKnown({ request, response, answer }: Exchange): boolean {
  if (answer.changes) return false;
  const { 'if-none-match': tag, 'if-modified-since': since } = request.headers;
  if (tag !== undefined) return tag === response.getHeader('ETag');
  return since !== undefined && since === response.getHeader('Last-Modified');
}
