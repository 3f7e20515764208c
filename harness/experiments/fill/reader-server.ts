import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import type { FillQuestion } from '@cachescope/model/fill/question.ts';
import { neverStore } from '@cachescope/origin/routes/cache-headers.ts';
import { isolationHeaders } from '@cachescope/origin/routes/pages.ts';
import type { StreamPace } from '@cachescope/origin/routes/stream.ts';
import { CachescopeError } from '../../error.ts';
import type { FillTask } from './client.ts';

const script = readFileSync(new URL('./reader.js', import.meta.url), 'utf8');
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Cachescope: readers of concurrent fills</title>
<link rel="icon" href="data:,">
<body></body>
<script>${script}</script>
</html>
`;

/** Where the readers of a browser run: all in one page, or spread over `count` frames, tabs or workers. */
export interface ReaderPlace {
  kind: 'page' | 'frames' | 'tabs' | 'workers';
  count: number;
}

/** One reader of a question. */
export interface PlannedReader {
  /** Name of the stream. */
  name: string;
  /** When it sends its request, ms after the common start. */
  afterMs: number;
  range?: string;
}

/** The plan of the pages of one trial, with a prefix and a time, or of one question, with a reader for each worker. */
export interface ReaderPlan
  extends Pick<FillTask, 'base' | 'workers'>, Partial<Pick<FillTask, 'prefix' | 'timeMs'>> {
  pace: FillTask['pace'] & Partial<StreamPace>;
  place: ReaderPlace;
  readers?: PlannedReader[];
}

/** The result that the page posts when all its readers have ended. */
export interface PageReading {
  requests: FillQuestion['readers'];
  clientMs: number;
}

/** Serves the pages with the readers and receives their measurements. */
export type ReaderServer = Awaited<ReturnType<typeof startReaderServer>>;

interface Planned {
  plan: ReaderPlan;
  result: PromiseWithResolvers<PageReading>;
}

// Cross-origin isolated: the resolution of the page's clock is then 5 µs instead of 100 µs.
const headers = { ...isolationHeaders, ...neverStore };

/**
 * Starts the server of the pages on loopback. It is not the origin: its responses are in no log and in no result. Its
 * plans have random ids and live as long as the run.
 */
export async function startReaderServer() {
  const plans = new Map<string, Planned>();
  const server = createServer((request, response) => void answer(plans, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    /** Registers a plan: URL of the leader page, URL of the pages in other tabs, and the result once it is posted. */
    plan(plan: ReaderPlan) {
      const id = randomBytes(16).toString('hex');
      const result = Promise.withResolvers<PageReading>();
      result.promise.catch(() => undefined);
      plans.set(id, { plan, result });
      const leader = `${base}/reader?id=${id}`;
      return { leader, follower: `${leader}&role=follower`, result: result.promise };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  plans: ReadonlyMap<string, Planned>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const planned = plans.get(searchParams.get('id') ?? '');
  const send = (type: string, body: string) =>
    void response
      .writeHead(200, { ...headers, 'content-type': `${type}; charset=utf-8` })
      .end(body);
  if (!planned) return void response.writeHead(404, headers).end();
  if (pathname === '/reader') return send('text/html', page);
  if (pathname === '/reader.js') return send('text/javascript', script);
  if (pathname === '/plan') return send('application/json', JSON.stringify(planned.plan));
  if (pathname !== '/result' || request.method !== 'POST')
    return void response.writeHead(404, headers).end();
  const reading = JSON.parse(await text(request)) as PageReading | { error: string };
  if ('error' in reading)
    planned.result.reject(
      new CachescopeError('CS_FILL_PAGE', `the reading page failed: ${reading.error}`),
    );
  else planned.result.resolve(reading);
  response.writeHead(204, headers).end();
}
