import { OriginError } from '../error.ts';
import { decodeWithDictionary } from './decoder.ts';
import { encode } from './encoder.ts';
import { defaultQualities, type Qualities } from './qualities.ts';

/** A dictionary that is used shrinks an edited copy of itself to less than this share of its size without one. */
const usedShare = 0.5;

/** The coding that compresses as each dictionary coding does, but without the dictionary. */
const withoutDictionary = { dcb: 'br', dcz: 'zstd' } as const;

/** Two texts of which the second is the first with an edit; neither can be shrunk much by itself. */
function probe(): { dictionary: Buffer; body: Buffer } {
  const numbers = Array.from(
    { length: 400 },
    (_, index) => ((index + 1) * 2_654_435_761) % 2 ** 32,
  );
  const dictionary = Buffer.from(numbers.join('-'));
  return { dictionary, body: Buffer.concat([Buffer.from('edited '), dictionary]) };
}

/** What is wrong with an encoder's use of dictionaries, in words; null when nothing is. */
async function fault(
  coding: 'dcb' | 'dcz',
  qualities: Qualities,
  encodeWith: typeof encode,
): Promise<string | null> {
  const { dictionary, body } = probe();
  const encoded = await encodeWith(coding, body, qualities, dictionary);
  const decoded = await decodeWithDictionary(coding, encoded, dictionary).catch(() => null);
  if (decoded === null || Buffer.compare(decoded, body) !== 0)
    return 'does not decode to the same bytes';
  const plain = await encodeWith(withoutDictionary[coding], body, qualities);
  if (encoded.byteLength < usedShare * plain.byteLength) return null;
  return `does not use the dictionary (${encoded.byteLength} bytes, ${plain.byteLength} without one)`;
}

/**
 * Proves that this Node compresses with dictionaries at these qualities: older ones take the option and ignore it without a word
 * (nodejs/node#61763), and Brotli has no checksum that would tell.
 *
 * @throws OriginError CS_ORIGIN_ENCODER naming the Node version.
 */
export async function proveEncoder(
  qualities: Qualities = defaultQualities,
  encodeWith: typeof encode = encode,
): Promise<void> {
  for (const coding of ['dcb', 'dcz'] as const) {
    const found = await fault(coding, qualities, encodeWith);
    if (found === null) continue;
    throw new OriginError(
      'CS_ORIGIN_ENCODER',
      `${coding} as Node ${process.version} makes it ${found}; Node 24.15, 25.7 or newer is needed`,
    );
  }
}
