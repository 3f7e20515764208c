import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import { codings } from '@cachescope/model/coding.ts';
import { expect, test } from 'vitest';
import { findWorkload } from '../workloads/catalog.ts';
import { decodeWithDictionary } from './decoder.ts';
import { encode } from './encoder.ts';
import { defaultQualities } from './qualities.ts';

// Its ESM entry fetches the module over the network; its CommonJS entry works in Node.
const brotliWasm = createRequire(import.meta.url)('brotli-wasm') as {
  decompress(bytes: Uint8Array): Uint8Array;
};

const workload = await findWorkload('synthetic:60KiB');
const { resource, dictionary } = workload;
const encoded = Object.fromEntries(
  await Promise.all(
    codings.map(async (coding) => [
      coding,
      await encode(coding, resource, defaultQualities, dictionary),
    ]),
  ),
) as Record<(typeof codings)[number], Uint8Array>;

const sha256 = createHash('sha256').update(dictionary).digest('hex');
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('every coding decodes to the same bytes', () => {
  const expected = Buffer.from(resource);
  expect(expected.equals(encoded.identity)).toBe(true);
  expect(expected.equals(zlib.gunzipSync(encoded.gzip))).toBe(true);
  expect(expected.equals(brotliWasm.decompress(encoded.br))).toBe(true);
  expect(expected.equals(zlib.zstdDecompressSync(encoded.zstd))).toBe(true);
  const dcb = zlib.brotliDecompressSync(encoded.dcb.subarray(36), { dictionary });
  expect(expected.equals(dcb)).toBe(true);
  // A zstd decoder skips the 40-byte header by itself: it is a skippable frame.
  expect(expected.equals(zlib.zstdDecompressSync(encoded.dcz, { dictionary }))).toBe(true);
});

test('dcb and dcz start with the hash of their dictionary (RFC 9842 sections 4 and 5)', () => {
  expect(hex(encoded.dcb.subarray(0, 36))).toBe(`ff444342${sha256}`);
  expect(hex(encoded.dcz.subarray(0, 40))).toBe(`5e2a4d1820000000${sha256}`);
});

test('dcb and dcz depend on the dictionary: another one does not yield the body', () => {
  const other = dictionary.toReversed();
  const decoders = [
    () => zlib.brotliDecompressSync(encoded.dcb.subarray(36), { dictionary: other }),
    () => zlib.zstdDecompressSync(encoded.dcz.subarray(40), { dictionary: other }),
  ];
  for (const decode of decoders) {
    let decoded: Buffer | null = null;
    try {
      decoded = decode();
    } catch {
      // The decoders detect some mismatches; the others yield wrong bytes.
    }
    expect(decoded?.equals(resource) ?? false).toBe(false);
  }
  expect(encoded.dcb.byteLength).toBeLessThan(encoded.br.byteLength / 5);
  expect(encoded.dcz.byteLength).toBeLessThan(encoded.zstd.byteLength / 5);
});

test('qualities are passed to the encoders', async () => {
  const best = { gzip: 9, br: 11, zstd: 19, dcb: 11, dcz: 19 };
  for (const coding of ['gzip', 'br', 'zstd', 'dcb', 'dcz'] as const) {
    const smaller = await encode(coding, resource, best, dictionary);
    expect(smaller.byteLength, coding).toBeLessThan(encoded[coding].byteLength);
  }
});

/** The window that a decoder must have for a zstd frame, bytes (RFC 8878 sections 3.1.1.1.1 to 3.1.1.1.4). */
function windowBytes(frame: Buffer): number {
  const descriptor = frame[4] ?? 0;
  if (!(descriptor & 0x20))
    return 2 ** (10 + ((frame[5] ?? 0) >> 3)) * (1 + ((frame[5] ?? 0) & 7) / 8);
  // Every body here is longer than 64 KiB, and shorter than 4 GiB.
  expect(descriptor >> 6).toBe(2);
  return frame.readUInt32LE(5);
}

const mebibyte = 1024 ** 2;
/** RFC 9842 section 5. */
const supported = (dictionaryBytes: number): number =>
  Math.min(128 * mebibyte, Math.max(8 * mebibyte, 1.25 * dictionaryBytes));

test.each([
  ['a long body', 9, 0, 3, 8],
  ['a long body at a high level', 9, 0, 19, 8],
  ['a body as long as a large dictionary', 10, 10, 3, 10],
  ['the longest body that is its own window', 12.5, 10, 3, 12.5],
  ['a longer body', 13, 10, 3, 8],
  ['a longer body with a larger dictionary', 16, 12.8, 3, 16],
  ['a power of two', 17, 12.8, 3, 16],
])('dcz: the window of %s', async (_what, bodyMiB, dictionaryMiB, dcz, windowMiB) => {
  const text = Buffer.alloc(17 * mebibyte, 'a text that is repeated ');
  const body = text.subarray(0, bodyMiB * mebibyte);
  const large =
    dictionaryMiB === 0 ? dictionary : text.subarray(0, Math.ceil(dictionaryMiB * mebibyte));
  const stream = await encode('dcz', body, { ...defaultQualities, dcz }, large);
  expect(windowBytes(Buffer.from(stream.subarray(40)))).toBe(windowMiB * mebibyte);
  expect(windowMiB * mebibyte).toBeLessThanOrEqual(supported(large.byteLength));
});

test('dcz refers to more than 8 MiB of a dictionary', async () => {
  const large = randomBytes(10 * mebibyte);
  const newer = Buffer.from(large);
  for (let at = 0; at < newer.length; at += mebibyte) randomBytes(200).copy(newer, at);
  const stream = await encode('dcz', newer, { ...defaultQualities, dcz: 9 }, large);
  expect(stream.byteLength).toBeLessThan(7 * mebibyte);
  expect(newer.equals(await decodeWithDictionary('dcz', stream, large))).toBe(true);
});

test('dcb without a dictionary is an error of the caller', async () => {
  await expect(encode('dcb', resource, defaultQualities)).rejects.toThrow(TypeError);
});
