import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { parseSyntheticName, syntheticWorkload } from './synthetic.ts';

test.each([
  ['synthetic:1', 1],
  ['synthetic:10B', 10],
  ['synthetic:10KiB', 10_240],
  ['synthetic:100MiB', 104_857_600],
  ['synthetic:101MiB', null],
  ['synthetic:0', null],
  ['synthetic:-1kb', null],
  ['synthetic:1gb', null],
  ['synthetic:1.5mb', null],
  ['synthetic:', null],
  ['pdfjs', null],
])('%s is parsed as %s bytes', (name, bytes) => {
  expect(parseSyntheticName(name)).toBe(bytes);
});

test.each([1, 100, 4096, 300_000])('both versions have exactly %d bytes', (bytes) => {
  const { dictionary, resource } = syntheticWorkload('synthetic', bytes);
  expect([dictionary.byteLength, resource.byteLength]).toEqual([bytes, bytes]);
});

test('the newer version is an edit of the older one, also for small texts', () => {
  for (const bytes of [100, 100_000]) {
    const { dictionary, resource } = syntheticWorkload('synthetic', bytes);
    expect(Buffer.compare(dictionary, resource)).not.toBe(0);
  }
  const { dictionary, resource } = syntheticWorkload('synthetic', 100_000);
  const older = new Set(Buffer.from(dictionary).toString().split('\n'));
  const newer = Buffer.from(resource).toString().split('\n');
  const kept = newer.filter((line) => older.has(line)).length / newer.length;
  expect(kept).toBeGreaterThan(0.95);
});

test('the bytes are the same on every machine, and compress about as well as source code', () => {
  const workload = syntheticWorkload('synthetic:100KiB', 102_400);
  expect(workload.resourceSha256).toMatchInlineSnapshot(
    `"8a6fe8e67e5f25ba6fef24023c132d9f419648a7e5dad7c31b70f83e513cffb6"`,
  );
  const share = brotliCompressSync(workload.resource).byteLength / 102_400;
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.35);
});
