import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { frameHeaderBytes } from '../dictionary/framing.ts';
import { OriginError } from '../error.ts';
import { encode } from './encoder.ts';
import { defaultQualities } from './qualities.ts';

const unbrotli = promisify(zlib.brotliDecompress);
const unzstd = promisify(zlib.zstdDecompress);

/** A dictionary that is used shrinks an edited copy of itself to less than this share of its size without one. */
const usedShare = 0.5;

/** Decodes what `encode` made of dcb or dcz. */
export async function decodeWithDictionary(
  coding: 'dcb' | 'dcz',
  encoded: Uint8Array,
  dictionary: Uint8Array,
): Promise<Uint8Array> {
  const stream = encoded.subarray(frameHeaderBytes[coding]);
  return coding === 'dcb' ? unbrotli(stream, { dictionary }) : unzstd(stream, { dictionary });
}

/** Two texts of which the second is the first with an edit; neither can be shrunk much by itself. */
function probe(): { dictionary: Buffer; body: Buffer } {
  const dictionary = Buffer.from(
    Array.from({ length: 400 }, (_, index) => ((index + 1) * 2_654_435_761) % 4_294_967_296).join(
      '-',
    ),
  );
  return { dictionary, body: Buffer.concat([Buffer.from('edited '), dictionary]) };
}

/**
 * Proves that this Node compresses with dictionaries: older ones take the option and ignore it without a word
 * (nodejs/node#61763), and Brotli has no checksum that would tell.
 *
 * @throws OriginError CS_ORIGIN_ENCODER naming the Node version.
 */
export async function proveEncoder(
  encodeWith: typeof encode = encode,
  decodeWith: typeof decodeWithDictionary = decodeWithDictionary,
): Promise<void> {
  const { dictionary, body } = probe();
  for (const [coding, plain] of [
    ['dcb', 'br'],
    ['dcz', 'zstd'],
  ] as const) {
    const encoded = await encodeWith(coding, body, dictionary, defaultQualities);
    const without = await encodeWith(plain, body, null, defaultQualities);
    const decoded = await decodeWith(coding, encoded, dictionary).catch(() => null);
    const isSame = decoded !== null && Buffer.compare(decoded, body) === 0;
    if (isSame && encoded.byteLength < usedShare * without.byteLength) continue;
    const what = isSame
      ? `does not use the dictionary (${encoded.byteLength} of ${without.byteLength} bytes)`
      : 'does not decode to the same bytes';
    throw new OriginError(
      'CS_ORIGIN_ENCODER',
      `${coding} as Node ${process.version} makes it ${what}; Node 24.15, 25.7 or newer is needed`,
    );
  }
}
