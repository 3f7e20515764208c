import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import * as zlib from 'node:zlib';
import { codings } from '@cachescope/model/coding.ts';
import { expect, test } from 'vitest';
import { findWorkload } from '../workloads/catalog.ts';
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

test.each([3, 19])(
  'the window of dcz at level %d is the 8 MiB of RFC 9842 section 5',
  async (dcz) => {
    const large = Buffer.alloc(9 * 1024 * 1024, 'a text that is repeated ');
    const encodedLarge = await encode('dcz', large, { ...defaultQualities, dcz }, dictionary);
    // RFC 8878 section 3.1.1.1: after the magic, a descriptor without the single-segment bit (5), then the window.
    const [descriptor = 0, window = 0] = encodedLarge.subarray(44);
    expect(descriptor & 0x20).toBe(0);
    expect(10 + (window >> 3)).toBe(23);
  },
);

test('dcb without a dictionary is an error of the caller', async () => {
  await expect(encode('dcb', resource, defaultQualities)).rejects.toThrow(TypeError);
});
