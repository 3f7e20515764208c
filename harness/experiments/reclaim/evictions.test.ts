import { expect, test } from 'vitest';
import type { CacheFile, CacheDirectorySample } from '../../sampling/simple-cache-directory.ts';
import { EvictionWatch } from './evictions.ts';

/** Samples a made-up directory: the evicted entries are those that only the previous sample had. */
function folder() {
  let last: CacheDirectorySample = { takenAt: 0, entries: new Map(), bytes: 0, gone: [] };
  return (takenAt: number, entries: Record<string, CacheFile>): CacheDirectorySample => {
    const now = new Map(Object.entries(entries));
    const gone = [...last.entries].filter(([hash]) => !now.has(hash));
    const bytes = [...now.values()].reduce((sum, file) => sum + file.bytes, 0);
    last = { takenAt, entries: now, bytes, gone };
    return last;
  };
}

function file(writtenAt: number, bytes = 1000): CacheFile {
  return { writtenAt, bytes };
}

/** Ten entries, written one second apart. */
const ten = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`h${at}`, file(at * 1000)]));

function without(...hashes: string[]): Record<string, CacheFile> {
  return Object.fromEntries(Object.entries(ten).filter(([hash]) => !hashes.includes(hash)));
}

test('the least recently written are evicted: write order explains it, use order too, size does not', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  expect(watch.found(sample(10_000, ten))).toBeNull();
  const pass = watch.found(sample(11_000, without('h0', 'h1', 'h2')));
  expect(pass).toMatchObject({
    kind: 'reclaim',
    atMs: 11_000,
    durationMs: 1000,
    how: 'observed',
    before: { entries: 10, bytes: 10_000 },
    after: { entries: 7, bytes: 7000 },
    evicted: 3,
    evictedBytes: 3000,
    byWrite: 1,
    byUse: 1,
    bySize: 0.5,
    byUseAndSize: 1,
  });
  expect(pass?.examples).toHaveLength(3);
  expect(pass?.examples[0]).toEqual({
    key: 'h0',
    bytes: 1000,
    ageMs: 11_000,
    idleMs: 11_000,
    uses: 0,
  });
  expect(watch.found(sample(12_000, without('h0', 'h1', 'h2')))).toBeNull();
});

test('entries that were read are kept: use order explains it, write order does not', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  watch.found(sample(10_000, ten));
  for (const hash of ['h0', 'h1', 'h2', 'h3', 'h4']) watch.used(hash, `key-${hash}`, true, 10_500);
  const pass = watch.found(sample(11_000, without('h5', 'h6', 'h7', 'h8', 'h9')));
  expect(pass).toMatchObject({ byUse: 1, byWrite: 0 });
});

test('the largest are evicted: size explains it', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  const sized = Object.fromEntries(
    Object.keys(ten).map((hash, at) => [hash, file(at, at % 2 ? 9000 : 100)]),
  );
  watch.found(sample(10_000, sized));
  const small = Object.fromEntries(Object.entries(sized).filter(([, { bytes }]) => bytes === 100));
  expect(watch.found(sample(11_000, small))).toMatchObject({ bySize: 1 });
});

test('an entry with a known key is reported with its key and its reads; a new write resets the reads', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  watch.used('h0', 'z1', false, 0);
  watch.used('h0', 'z1', true, 4000);
  watch.used('h0', 'z1', true, 5000);
  watch.used('h1', 'z2', false, 1000);
  watch.used('h1', 'z2', true, 2000);
  watch.used('h1', 'z2', false, 6000);
  const first = sample(10_000, ten);
  expect(watch.named(first)).toBe(2);
  watch.found(first);
  const examples = watch.found(sample(11_000, without('h0', 'h1')))?.examples;
  expect(examples).toEqual([
    { key: 'z1', bytes: 1000, ageMs: 11_000, idleMs: 6000, uses: 2 },
    { key: 'z2', bytes: 1000, ageMs: 10_000, idleMs: 5000, uses: 0 },
  ]);
  expect(watch.named(sample(11_000, ten))).toBe(0);
});

test('an entry written after the previous sample was no candidate for eviction, and is not compared', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  watch.found(sample(10_000, { h0: file(0) }));
  const pass = watch.found(sample(11_000, { h9: file(10_500) }));
  expect(pass).toMatchObject({ evicted: 1, byWrite: null, byUse: null, bySize: null });
});

test('keys that never reached the disk are forgotten after a minute', () => {
  const [watch, sample] = [new EvictionWatch(), folder()];
  watch.used('h0', 'z1', false, 0);
  watch.found(sample(59_000, {}));
  expect(watch.named(sample(59_000, ten))).toBe(1);
  watch.found(sample(61_000, {}));
  expect(watch.named(sample(61_000, ten))).toBe(0);
});
