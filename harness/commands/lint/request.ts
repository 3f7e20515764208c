import * as http from 'node:http';
import * as https from 'node:https';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import {
  fieldValue,
  type HeaderFields,
  listMembers,
} from '@cachescope/model/load/header-fields.ts';
import { byteSize } from '@cachescope/model/quantity.ts';
import { CachescopeError, messageOf } from '../../error.ts';
import { toolVersion } from '../../version.ts';
import type { Exchange } from './offer-rules.ts';

/** Most bytes of a body, as received and decoded: more than the largest dictionary that Chromium keeps. */
export const mostBodyBytes = 128 * 1024 ** 2;
const mostWaitMs = 60_000;

/** A response with its body as received. */
export interface Answer extends Exchange {
  body: Uint8Array;
}

/**
 * Requests one URL, and follows no redirect: its target was not typed.
 *
 * @throws CachescopeError CS_LINT_URL when there is no complete response.
 */
export async function ask(url: string, requestHeaders: HeaderFields): Promise<Answer> {
  const headers = Object.fromEntries(requestHeaders);
  const { request } = url.startsWith('https:') ? https : http;
  const signal = AbortSignal.timeout(mostWaitMs);
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      const sent = request(
        url,
        {
          headers: { 'user-agent': `Cachescope/${toolVersion}`, accept: '*/*', ...headers },
          agent: false,
          signal,
        },
        resolve,
      );
      sent.on('error', reject);
      sent.end();
    });
    const body = await bodyOf(response);
    return {
      url,
      status: response.statusCode ?? null,
      requestHeaders,
      headers: pairs(response.rawHeaders),
      receivedAt: Date.now(),
      decodedBytes: null,
      body,
    };
  } catch (error) {
    const why = signal.aborted
      ? `no complete response within ${mostWaitMs / 1000} s`
      : messageOf(error);
    throw new CachescopeError('CS_LINT_URL', `${url}: ${why}`);
  }
}

async function bodyOf(response: http.IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBodyBytes)
      throw new Error(`the body has more than ${byteSize(mostBodyBytes)}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function pairs(raw: readonly string[]): HeaderFields {
  return Array.from({ length: raw.length / 2 }, (_, index) => [
    raw[2 * index] as string,
    raw[2 * index + 1] as string,
  ]);
}

const limits = { maxOutputLength: mostBodyBytes };
type Decode = (body: Uint8Array) => Promise<Uint8Array>;
const gunzip: Decode = (body) => promisify(zlib.gunzip)(body, limits);
const decoders: Readonly<Record<string, Decode>> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: (body) => promisify(zlib.inflate)(body, limits),
  br: (body) => promisify(zlib.brotliDecompress)(body, limits),
  zstd: (body) => promisify(zlib.zstdDecompress)(body, limits),
  identity: async (body) => body,
};

/**
 * The decoded body of a response without a dictionary coding.
 *
 * @throws CachescopeError CS_LINT_URL for another coding, or a body that is not in it.
 */
export async function decodedBody({ url, headers, body }: Answer): Promise<Uint8Array> {
  let decoded = body;
  for (const coding of listMembers(fieldValue(headers, 'content-encoding')).toReversed()) {
    const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined;
    try {
      if (!decode) throw new Error('the request did not accept it');
      decoded = await decode(decoded);
    } catch (error) {
      throw new CachescopeError('CS_LINT_URL', `${url}: a body in ${coding}: ${messageOf(error)}`);
    }
  }
  return decoded;
}
