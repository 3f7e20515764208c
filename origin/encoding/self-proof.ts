import { OriginError } from '../error.ts';
import { decodeWithDictionary } from './decoder.ts';
import { encode } from './encoder.ts';
import { defaultQualities, type Qualities } from './qualities.ts';

/** With the dictionary in use, an edited copy of it shrinks to less than this share of its size without dictionary. */
const usedShare = 0.5;

/** The coding with the same compression as each dictionary coding, but without dictionary. */
const withoutDictionary = { dcb: 'br', dcz: 'zstd' } as const;

/** Two texts; the second is an edited copy of the first. Neither compresses well by itself. */
function probe(): { dictionary: Buffer; body: Buffer } {
  const numbers = Array.from(
    { length: 400 },
    (_, index) => ((index + 1) * 2_654_435_761) % 2 ** 32,
  );
  const dictionary = Buffer.from(numbers.join('-'));
  return { dictionary, body: Buffer.concat([Buffer.from('edited '), dictionary]) };
}

/** The defect of an encoder's use of dictionaries, in words; null: none. */
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
 * Proves that this Node compresses with dictionaries at these qualities: older versions accept the option and silently
 * ignore it (nodejs/node#61763), and Brotli has no checksum that would detect it.
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
