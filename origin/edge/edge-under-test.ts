import {
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import { hangLimitMs } from '../../test/hang-limit.ts';
import type { EdgeOptions } from './edge.ts';
import { startEdge } from './server.ts';

/** One request that reached the upstream; the test answers it. */
export interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
}

/** One response as its client receives it. */
interface Reading {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body received so far. */
  text(): string;
  /** Settles when the response is complete; rejects when the connection breaks. */
  whole: Promise<string>;
  /** Closes the connection midway. */
  leave(): void;
}

/** Answers with a text that a shared cache stores for a minute. */
export function answerWith(
  { response }: Asked,
  text: string,
  headers: Record<string, string> = {},
): void {
  const length = { 'content-length': `${Buffer.byteLength(text)}` };
  response.writeHead(200, { 'cache-control': 'max-age=60', ...length, ...headers }).end(text);
}

/** Waits until a condition holds. */
export async function eventually(holds: () => boolean): Promise<void> {
  await vi.waitUntil(holds, { timeout: hangLimitMs, interval: 2 });
}

/** Starts an upstream that the test controls, and an edge in front of it, for one test. `onAsk` answers each request; without it the test does. */
export async function edgeUnderTest(
  options: Omit<EdgeOptions, 'upstream'>,
  onAsk: (asked: Asked, index: number) => void = () => undefined,
) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const one = { request, response };
    asked.push(one);
    onAsk(one, asked.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const edge = await startEdge({ ...options, upstream });
  const handle = vi.spyOn(edge.edge, 'handle');
  const closeUpstream = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(async () => {
    await edge.close();
    await closeUpstream();
  });
  const read = (path: string, request: RequestOptions = {}) => readFrom(edge.url + path, request);
  return {
    /** Base URL of the edge. */
    url: edge.url,
    /** Requests that reached the upstream, in order. */
    asked,
    /**
     * The edge's responses to the requests that have reached it, in order: each request has joined a fill or started one.
     */
    answers: () => handle.mock.calls.map(([, response]) => response),
    /** Settles when this many requests have reached the upstream. */
    async until(count: number) {
      await eventually(() => asked.length >= count);
      return asked[count - 1] as Asked;
    },
    /** Settles with the header section of the response. */
    read,
    /** Reads the whole response body. */
    text: async (path: string, request?: RequestOptions) => (await read(path, request)).whole,
    storedBytes: () => edge.edge.storedBytes,
    /** Breaks every connection of the upstream and stops listening. */
    closeUpstream,
  };
}

function readFrom(url: string, options: RequestOptions): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, ...options }, (answer) => {
      const chunks: Buffer[] = [];
      const text = () => Buffer.concat(chunks).toString();
      const whole = new Promise<string>((settle, fail) => {
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('end', () => settle(text()));
        answer.once('error', fail);
      });
      whole.catch(() => undefined);
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, headers, text, whole, leave: () => request.destroy() });
    });
    request.on('error', reject);
  });
}
