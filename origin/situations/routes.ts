import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { encode } from '../encoding/encoder.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import { header } from '../routes/logging.ts';
import { sha256Hex } from '../workloads/workload.ts';
import { doneFile, type ServedFile, type Situation, situationPath } from './situation.ts';
import { situations } from './situations.ts';

/** What a route is handed. */
interface Asked {
  request: FastifyRequest;
  reply: FastifyReply;
  situation: Situation;
  fileName: string;
}

/** Serves every situation, each under a path of its playing (`situationPath`), for tests of the instrument. */
export function situationRoutes(server: FastifyInstance): void {
  const byName = new Map(situations.map((situation) => [situation.name, situation]));
  server.all<{ Params: { situation: string; file: string } }>(
    situationPath(':play', ':situation', ':file'),
    async (request, reply) => {
      const { situation: name, file: fileName } = request.params;
      if (fileName === doneFile) return reply.code(204).header('cache-control', 'no-store').send();
      const situation = byName.get(name);
      const file = situation && new Map(Object.entries(situation.files)).get(fileName);
      if (!situation || !file) return reply.code(404).send();
      return sendFile({ request, reply, situation, fileName }, file);
    },
  );
}

async function sendFile(asked: Asked, file: ServedFile): Promise<FastifyReply> {
  const { request, reply, fileName } = asked;
  if (file.earlyHint !== undefined) hint(reply, file.earlyHint);
  if (file.delayMs !== undefined) await wait(file.delayMs);
  const etag = `"${fileName}"`;
  reply.code(file.status ?? 200).headers(file.headers ?? {});
  if (file.isConditional) reply.header('etag', etag);
  if (file.isConditional && header(request, 'if-none-match') === etag)
    return reply.code(304).send();
  return reply.type(file.contentType).send(await bodyFor(asked, file));
}

/** A 103 response with a Link header (RFC 8297). Over HTTP/1.1 Chromium does not heed it. */
function hint(reply: FastifyReply, link: string): void {
  reply.raw.writeEarlyHints({ link });
}

async function bodyFor(asked: Asked, file: ServedFile): Promise<Uint8Array> {
  const { request, reply } = asked;
  const bytes = Buffer.from(file.body);
  if (file.tellsDictionary) return request.logged.availableDictionary ? bytes : Buffer.alloc(0);
  if (file.hasRanges) return rangeOf(bytes, request, reply);
  return encoded(bytes, asked, file);
}

/** One range in bytes with both ends is enough here; anything else gets the whole. */
function rangeOf(bytes: Buffer, request: FastifyRequest, reply: FastifyReply): Buffer {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(header(request, 'range') ?? '') ?? [];
  if (from === undefined || to === undefined) return bytes;
  reply.code(206).header('content-range', `bytes ${from}-${to}/${bytes.length}`);
  return bytes.subarray(Number(from), Number(to) + 1);
}

async function encoded(
  bytes: Buffer,
  { request, reply, situation }: Asked,
  { coding = 'identity', dictionary: dictionaryName }: ServedFile,
): Promise<Uint8Array> {
  if (coding === 'identity') return bytes;
  if (dictionaryName === undefined) {
    reply.header('content-encoding', coding);
    return encode(coding, bytes, defaultQualities);
  }
  const dictionary = Buffer.from(situation.files[dictionaryName]?.body ?? '');
  if (request.logged.availableDictionary !== sha256Hex(dictionary)) return bytes;
  reply.header('content-encoding', coding);
  return encode(coding, bytes, defaultQualities, dictionary);
}
