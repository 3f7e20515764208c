import { expect, test, vi } from 'vitest';
import { sha256Hex } from '../workloads/workload.ts';
import { encode } from './encoder.ts';
import { defaultQualities } from './qualities.ts';
import { VariantStore } from './variants.ts';

const hashed = (text: string) => ({
  bytes: Buffer.from(text),
  sha256: sha256Hex(Buffer.from(text)),
});
const body = hashed('a body that is long enough to be worth its encoding, a body that is long');

test('concurrent and later requests share one encoding', async () => {
  const encodeWith = vi.fn(encode);
  const store = new VariantStore(defaultQualities, encodeWith);
  const [first, second] = await Promise.all([
    store.get('br', { body }),
    store.get('br', { body, dictionary: hashed('another') }),
  ]);
  expect(second).toBe(first);
  expect(await store.get('br', { body })).toBe(first);
  expect(encodeWith).toHaveBeenCalledTimes(1);
});

test('each coding and each dictionary has its own bytes and entity tag', async () => {
  const store = new VariantStore(defaultQualities);
  const variants = await Promise.all([
    store.get('identity', { body }),
    store.get('br', { body }),
    store.get('dcb', { body, dictionary: hashed('a body that is long enough') }),
    store.get('dcb', { body, dictionary: hashed('to be worth its encoding') }),
  ]);
  expect(new Set(variants.map((variant) => variant.etag)).size).toBe(4);
  for (const { etag } of variants) expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
});

test('a failed encoding is retried', async () => {
  const encodeWith = vi.fn(encode).mockRejectedValueOnce(new Error('out of memory'));
  const store = new VariantStore(defaultQualities, encodeWith);
  await expect(store.get('br', { body })).rejects.toThrow('out of memory');
  await expect(store.get('br', { body })).resolves.toMatchObject({ coding: 'br' });
});
