import { constants } from 'node:buffer';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { frameHeaderBytes } from '../dictionary/framing.ts';

const unbrotli = promisify(zlib.brotliDecompress);
const unzstd = promisify(zlib.zstdDecompress);

/**
 * Decodes a dcb or dcz body. Its header is skipped, not checked.
 *
 * @throws zlib's error for a broken stream, and for one of more than `maxOutputLength` bytes. Brotli has no checksum: a wrong dictionary may yield wrong bytes instead.
 */
export async function decodeWithDictionary(
  coding: 'dcb' | 'dcz',
  encoded: Uint8Array,
  dictionary: Uint8Array,
  maxOutputLength = constants.MAX_LENGTH,
): Promise<Uint8Array> {
  const stream = encoded.subarray(frameHeaderBytes[coding]);
  const options = { dictionary, maxOutputLength };
  return coding === 'dcb' ? unbrotli(stream, options) : unzstd(stream, options);
}
