import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { binaryPayload, olderVersion, textPayload } from './pageload-payload.ts';

function brotli(body: Buffer, dictionary?: Buffer): number {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return brotliCompressSync(body, { params, ...(dictionary && { dictionary }) }).length;
}

test.each([0.05, 0.2, 0.28, 0.5, 0.7])('text compresses to about %s of its size', (share) => {
  const text = textPayload(100_000, share, 1);
  expect(text.length).toBe(100_000);
  expect(Math.abs(brotli(text) / text.length - share)).toBeLessThan(0.04);
  // Also a part of the text, as in a document.
  expect(Math.abs(brotli(text.subarray(30_000, 50_000)) / 20_000 - share)).toBeLessThan(0.04);
});

test('binary payloads do not compress', () => {
  expect(gzipSync(binaryPayload(50_000, 1)).length).toBeGreaterThan(50_000);
});

test('different seeds give unrelated payloads, the same seed the same payload', () => {
  expect(textPayload(1000, 0.3, 1)).toEqual(textPayload(1000, 0.3, 1));
  expect(textPayload(1000, 0.3, 1)).not.toEqual(textPayload(1000, 0.3, 2));
});

test('nothing in a text ends a comment or an element', () => {
  expect(textPayload(100_000, 0.7, 3).toString()).not.toMatch(/\*\/|-->|<|`/);
});

test('the previous version differs slightly, only in its payload, and is a good dictionary', () => {
  const body = Buffer.concat([
    Buffer.from('loader();/*'),
    textPayload(80_000, 0.4, 1),
    Buffer.from('*/'),
  ]);
  const older = olderVersion(body, { from: 11, to: body.length - 2 }, 2);
  expect(older.length).toBe(body.length);
  expect(older.subarray(0, 11).toString()).toBe('loader();/*');
  expect(older.subarray(-2).toString()).toBe('*/');
  const changed = body.filter((byte, at) => byte !== older[at]).length / body.length;
  expect(changed).toBeGreaterThan(0.01);
  expect(changed).toBeLessThan(0.03);
  expect(brotli(body, older)).toBeLessThan(brotli(body) / 5);
});
