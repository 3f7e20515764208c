import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Coding } from '@cachescope/model/coding.ts';
import { frameHeader } from '../dictionary/framing.ts';
import type { Qualities } from './qualities.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify(zlib.brotliCompress);
const zstd = promisify(zlib.zstdCompress);

/** Window of a zstd stream, log2: a client need not take more than 8 MiB (RFC 9842 section 5). */
const zstdWindowLog = 23;

function brotliOptions(body: Uint8Array, quality: number): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.byteLength } };
}

function zstdOptions(level: number): zlib.ZstdOptions {
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = zlib.constants;
  return { params: { [ZSTD_c_compressionLevel]: level, [ZSTD_c_windowLog]: zstdWindowLog } };
}

/**
 * Encodes a body. `dictionary` is needed for dcb and dcz, which begin with the header that names it (RFC 9842 sections 4
 * and 5), and is ignored otherwise.
 */
export async function encode(
  coding: Coding,
  body: Uint8Array,
  dictionary: Uint8Array | null,
  qualities: Qualities,
): Promise<Uint8Array> {
  switch (coding) {
    case 'identity':
      return body;
    case 'gzip':
      return gzip(body, { level: qualities.gzip });
    case 'br':
      return brotli(body, brotliOptions(body, qualities.br));
    case 'zstd':
      return zstd(body, zstdOptions(qualities.zstd));
    case 'dcb':
    case 'dcz': {
      if (!dictionary) throw new Error(`${coding} needs a dictionary`);
      const stream =
        coding === 'dcb'
          ? await brotli(body, { ...brotliOptions(body, qualities.dcb), dictionary })
          : await zstd(body, { ...zstdOptions(qualities.dcz), dictionary });
      return Buffer.concat([frameHeader(coding, dictionary), stream]);
    }
  }
}
