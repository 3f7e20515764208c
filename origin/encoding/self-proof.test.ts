import { expect, test } from 'vitest';
import { encode } from './encoder.ts';
import { defaultQualities } from './qualities.ts';
import { proveEncoder } from './self-proof.ts';

test.each([
  ['default', defaultQualities],
  ['least', { gzip: 1, br: 0, zstd: 1, dcb: 5, dcz: 1 }],
  ['most', { gzip: 9, br: 11, zstd: 19, dcb: 11, dcz: 19 }],
])('this Node passes with the %s qualities', async (_name, qualities) => {
  await expect(proveEncoder(qualities)).resolves.toBeUndefined();
});

test('the proof uses the chosen quality', async () => {
  const proof = proveEncoder({ ...defaultQualities, dcb: 4 });
  await expect(proof).rejects.toThrow(/dcb .*does not use the dictionary/);
});

// Below 5 Brotli decodes with the dictionary, but does not use it when encoding.
const ignoringBrotli: typeof encode = async (coding, body, qualities, dictionary) =>
  encode(coding, body, { ...qualities, dcb: 4 }, dictionary);

// The output of Node 24.14 and older, which ignore the option, read by a newer Node.
const olderNode: typeof encode = async (coding, body, qualities, dictionary) => {
  const encoded = await encode(coding, body, qualities, dictionary);
  if (coding !== 'dcb') return encoded;
  return Buffer.concat([encoded.subarray(0, 36), await encode('br', body, qualities)]);
};

const brokenZstd: typeof encode = async (coding, body, qualities, dictionary) =>
  encode(coding, coding === 'dcz' ? body.subarray(1) : body, qualities, dictionary);

test.each([
  ['an encoder that ignores the dictionary', ignoringBrotli, /dcb .*does not use the dictionary/],
  ['the stream of an older Node', olderNode, /dcb .*does not decode to the same bytes/],
  ['an encoder that makes other bytes', brokenZstd, /dcz .*does not decode to the same bytes/],
])('%s is refused, with the Node version in the message', async (_name, encodeWith, message) => {
  const proof = proveEncoder(defaultQualities, encodeWith);
  await expect(proof).rejects.toThrow(message);
  await expect(proof).rejects.toThrow(process.version);
  await expect(proof).rejects.toMatchObject({ code: 'CS_ORIGIN_ENCODER' });
});
