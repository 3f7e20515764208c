import { randomBytes } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Experiment, experiments } from '@cachescope/model/run/run.ts';
import { CachescopeError, messageOf } from '../error.ts';
import { reportTemplate } from './html-report.ts';

/** Maximum size of one part of the lines, bytes. */
const largestPart = 8 * 1024 * 1024;
/** A viewer who sent a request within this time is shown the end of the run, ms. */
const viewerMs = 10_000;
const newLine = 0x0a;

/** A page that shows a run while it is taken. */
export interface LiveView extends AsyncDisposable {
  /** URL for a browser on this machine; contains an unguessable token. */
  url: string;
}

/**
 * Serves the report on loopback, following the files of a run directory. It only reads what is on the disk: it affects
 * the run only by the processor time of its viewers' requests. Disposing closes it, once a viewer has seen the end, or
 * after `lastLookMs`.
 *
 * @throws CachescopeError CS_REPORT_TEMPLATE when the built report is not as expected.
 */
export async function openLiveView(
  runDirectory: string,
  experiment: Experiment,
  extensionDirectory: string,
  lastLookMs = 6_000,
): Promise<LiveView> {
  const page = livePage(await readFile(reportTemplate(extensionDirectory, experiment), 'utf8'));
  const prefix = `/${randomBytes(24).toString('base64url')}/`;
  const lineFile = join(runDirectory, experiments[experiment].lineFile);
  let askedAt = Number.NEGATIVE_INFINITY;
  let seenOnceMore = Promise.withResolvers<void>();
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://127.0.0.1');
    const name = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : null;
    if (request.method !== 'GET' || name === null) return void response.writeHead(404).end();
    if (name === '') return send(response, 'text/html; charset=utf-8', page);
    if (name === 'run.json')
      return send(response, 'application/json', await readFile(join(runDirectory, name)));
    if (name !== 'lines') return void response.writeHead(404).end();
    response.once('finish', () => {
      askedAt = performance.now();
      seenOnceMore.resolve();
    });
    send(response, 'application/x-ndjson', await linesFrom(lineFile, fromOf(url)));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.writeHead(500).end(messageOf(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    async [Symbol.asyncDispose]() {
      seenOnceMore = Promise.withResolvers();
      const limit = sleep(lastLookMs, undefined, { ref: false });
      if (performance.now() - askedAt < viewerMs) await Promise.race([seenOnceMore.promise, limit]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

function fromOf({ searchParams }: URL): number {
  const from = Number(searchParams.get('from') ?? 0);
  return Number.isSafeInteger(from) && from >= 0 ? from : 0;
}

/** The complete lines of a file from an offset on: a line that is still being written is returned by a later call. */
export async function linesFrom(path: string, from: number): Promise<Uint8Array> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.min(largestPart, Math.max(0, size - from)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, from);
  return buffer.subarray(0, buffer.lastIndexOf(newLine, Math.max(0, bytesRead - 1)) + 1);
}

/** The report's element for the run, and its content security policy: no connections, unless the page follows a run. */
const runElement = '<script type="application/json" id="run-document">';
const policy = "default-src 'none';";

/** The report's page, set to follow a run at its own origin, and allowed to connect there. */
export function livePage(report: string): string {
  if (!report.includes(runElement) || !report.includes(policy)) {
    throw new CachescopeError('CS_REPORT_TEMPLATE', 'the built report has no place for a run', {
      hint: 'Build it again: npm run build:extension',
    });
  }
  return report
    .replace(policy, `${policy} connect-src 'self';`)
    .replace(runElement, `${runElement.slice(0, -1)} data-follow="">`);
}
