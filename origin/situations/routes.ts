import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encode } from '../encoding/encoder.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import type { LoggedRequest, RequestLog } from '../request-log.ts';
import { header } from '../routes/logging.ts';
import { sha256Hex } from '../workloads/workload.ts';
import { doneFile, type ServedFile, sceneOf, type Situation, situationPath } from './situation.ts';
import { situations } from './situations.ts';
import { acceptSockets } from './web-socket.ts';
import { validatorFrom } from './validator.ts';

/** What a route is handed. */
interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  situation: Situation;
  fileName: string;
  log: RequestLog;
}

/** Serves every situation, each under a path of its playing (`situationPath`), for tests of the instrument. */
export function situationRoutes(server: FastifyInstance, log: RequestLog): void {
  const byScene = new Map(situations.map((situation) => [sceneOf(situation), situation]));
  acceptSockets(server.server, log, (path) => {
    const [, , , scene = '', file = ''] = path.split('/');
    return byScene.get(scene)?.files[file]?.isSocket === true;
  });
  server.all<{ Params: { play: string; situation: string; file: string } }>(
    situationPath(':play', ':situation', ':file'),
    async (request, reply) => {
      const { play, situation: name, file: fileName } = request.params;
      if (fileName === doneFile) return reply.code(204).header('cache-control', 'no-store').send();
      const situation = byScene.get(name);
      const first = situation && new Map(Object.entries(situation.files)).get(fileName);
      if (!situation || !first) return reply.code(404).send();
      const file = isRepeated(request, log) ? { ...first, ...first.later } : first;
      const { waitsFor } = file;
      const awaited = situationPath(play, name, waitsFor?.file ?? '');
      const isMidway = situation.files[waitsFor?.file ?? '']?.restWaitsFor !== undefined;
      const isAnswered = ({ path, status, finishedAt }: LoggedRequest) =>
        path === awaited &&
        (waitsFor?.status === undefined ||
          (status === waitsFor.status && (isMidway || finishedAt !== null)));
      if (waitsFor) await log.first(log.oldest(), isAnswered);
      return sendFile({ request, reply, situation, fileName, log }, file);
    },
  );
}

/** Whether the same was asked for before, in this playing. */
function isRepeated({ logged }: FastifyRequest, log: RequestLog): boolean {
  return log.since(log.oldest()).some((each) => each !== logged && each.path === logged.path);
}

async function sendFile(asked: Asked, file: ServedFile): Promise<FastifyReply> {
  const { request, reply, fileName } = asked;
  // A 103 response with a Link header (RFC 8297). Over HTTP/1.1 Chromium does not heed it.
  if (file.earlyHint !== undefined) reply.raw.writeEarlyHints({ link: file.earlyHint });
  if (file.delayMs !== undefined) await wait(file.delayMs);
  const isWhole = /^(bytes=0-)?$/.test(header(request, 'range') ?? '');
  if (file.cutAfterBytes !== undefined && isWhole) return cut(asked, file);
  const etag = etagOf(fileName, file);
  const from = validatorFrom(request.raw.rawHeaders);
  if (from) request.logged.validatorFrom = from;
  reply.code(file.status ?? 200).headers(file.headers ?? {});
  if (file.staysOpen) return stayOpen(asked, file);
  if (file.restWaitsFor !== undefined) return pauseMidway(asked, file, file.restWaitsFor);
  if (file.isConditional) reply.header('etag', etag);
  if (file.isConditional && header(request, 'if-none-match') === etag)
    return reply.code(304).send();
  return reply.type(file.contentType).send(await bodyFor(asked, file));
}

/** Sends what there is, and promises more. The client ends it. */
function stayOpen({ request, reply, log }: Asked, { body, contentType, headers }: ServedFile) {
  reply.hijack();
  reply.raw.writeHead(200, { ...headers, 'content-type': contentType });
  reply.raw.write(body);
  request.logged.status = 200;
  request.logged.finishedAt = new Date().toISOString();
  log.changed();
  return reply;
}

function etagOf(fileName: string, { version = '' }: ServedFile): string {
  return `"${fileName}${version}"`;
}

/** Sends half of the body, and the rest once another file has been asked for. */
async function pauseMidway({ request, reply, log }: Asked, file: ServedFile, awaited: string) {
  const body = Buffer.from(file.body);
  const path = request.logged.path.replace(/[^/]*$/, awaited);
  reply.header('content-length', body.length).type(file.contentType);
  const parts = async function* () {
    yield body.subarray(0, body.length / 2);
    await log.first(log.oldest(), (each) => each.path === path);
    yield body.subarray(body.length / 2);
  };
  return reply.send(Readable.from(parts()));
}

/** Promises the whole body, sends a part of it, and ends the connection. */
function cut({ request, reply, fileName }: Asked, file: ServedFile): FastifyReply {
  const { body, contentType, headers, isConditional, cutAfterBytes = 0 } = file;
  reply.hijack();
  if (cutAfterBytes === 0) request.raw.socket.destroy();
  else {
    reply.raw.writeHead(200, {
      ...headers,
      ...(isConditional ? { etag: etagOf(fileName, file) } : {}),
      'content-type': contentType,
      'content-length': Buffer.byteLength(body),
      'accept-ranges': 'bytes',
    });
    request.logged.status = 200;
    reply.raw.write(Buffer.from(body).subarray(0, cutAfterBytes), () =>
      request.raw.socket.destroy(),
    );
  }
  return reply;
}

async function bodyFor(asked: Asked, file: ServedFile): Promise<Uint8Array> {
  const { request } = asked;
  const bytes = Buffer.from(file.body);
  if (file.tellsDictionary) return request.logged.availableDictionary ? bytes : Buffer.alloc(0);
  if (file.hasRanges) return rangeOf(bytes, asked, file);
  return encoded(bytes, asked, file);
}

/** One range in bytes with a start is enough here; anything else gets the whole. */
function rangeOf(bytes: Buffer, { request, reply, fileName }: Asked, file: ServedFile): Buffer {
  reply.header('accept-ranges', 'bytes');
  const ifRange = header(request, 'if-range');
  if (ifRange && ifRange !== etagOf(fileName, file)) return bytes;
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header(request, 'range') ?? '') ?? [];
  if (from === undefined) return bytes;
  const last = Math.min(bytes.length - 1, to ? Number(to) : Number.POSITIVE_INFINITY);
  reply.code(206).header('content-range', `bytes ${from}-${last}/${bytes.length}`);
  return bytes.subarray(Number(from), last + 1);
}

async function encoded(
  bytes: Buffer,
  { request, reply, situation }: Asked,
  { coding = 'identity', dictionary: dictionaryName }: ServedFile,
): Promise<Uint8Array> {
  if (coding === 'identity') return bytes;
  const dictionary =
    dictionaryName === undefined
      ? undefined
      : Buffer.from(situation.files[dictionaryName]?.body ?? '');
  if (dictionary && request.logged.availableDictionary !== sha256Hex(dictionary)) return bytes;
  reply.header('content-encoding', coding);
  return encode(coding, bytes, defaultQualities, dictionary);
}
