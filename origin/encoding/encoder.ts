import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Coding } from '@cachescope/model/coding.ts';
import { frameHeader } from '../dictionary/framing.ts';
import type { Qualities } from './qualities.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const zstd = promisify(zlib.zstdCompress);

const mebibyte = 1024 ** 2;

/**
 * Window of a dcz stream, log2 of bytes. A decoder can refer to the dictionary only within the window. Every client
 * supports 8 MiB or 1.25 times the dictionary, whichever is greater, to 128 MiB (RFC 9842 section 5). A body within that
 * is its own window (RFC 8878 section 3.1.1.1.1, Single_Segment_flag); for a longer one, zstd takes a power of two.
 */
function dczWindowLog(bodyBytes: number, dictionaryBytes: number): number {
  const supported = Math.min(128 * mebibyte, Math.max(8 * mebibyte, 1.25 * dictionaryBytes));
  if (bodyBytes > supported) return Math.floor(Math.log2(supported));
  return Math.ceil(Math.log2(Math.max(8 * mebibyte, bodyBytes)));
}

function brotliOptions(body: Uint8Array, quality: number): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.byteLength } };
}

/**
 * When the size is known in advance, it is written to the frame header, and the decoder allocates no more than it
 * needs.
 */
function zstdOptions(body: Uint8Array, level: number, windowLog?: number): zlib.ZstdOptions {
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = zlib.constants;
  const window = windowLog === undefined ? {} : { [ZSTD_c_windowLog]: windowLog };
  const params = { [ZSTD_c_compressionLevel]: level, ...window };
  return { params, pledgedSrcSize: body.byteLength };
}

type Encoder = (
  body: Uint8Array,
  qualities: Qualities,
  dictionary: Uint8Array | undefined,
) => Promise<Uint8Array>;

function required(dictionary: Uint8Array | undefined): Uint8Array {
  if (dictionary) return dictionary;
  throw new TypeError('dcb and dcz need a dictionary');
}

const encoders: Readonly<Record<Coding, Encoder>> = {
  identity: async (body) => body,
  gzip: (body, { gzip: level }) => gzip(body, { level }),
  br: (body, { br }) => brotli(body, brotliOptions(body, br)),
  zstd: (body, { zstd: level }) => zstd(body, zstdOptions(body, level)),
  dcb: async (body, { dcb }, given) => {
    const dictionary = required(given);
    const stream = await brotli(body, { ...brotliOptions(body, dcb), dictionary });
    return Buffer.concat([frameHeader('dcb', dictionary), stream]);
  },
  dcz: async (body, { dcz }, given) => {
    const dictionary = required(given);
    const windowLog = dczWindowLog(body.byteLength, dictionary.byteLength);
    const stream = await zstd(body, { ...zstdOptions(body, dcz, windowLog), dictionary });
    return Buffer.concat([frameHeader('dcz', dictionary), stream]);
  },
};

/**
 * Encodes a body. dcb and dcz compress with `dictionary` and begin with the header that identifies it (RFC 9842
 * sections 4 and 5); the other codings ignore it.
 */
export async function encode(
  coding: Coding,
  body: Uint8Array,
  qualities: Qualities,
  dictionary?: Uint8Array,
): Promise<Uint8Array> {
  return encoders[coding](body, qualities, dictionary);
}
