import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { encode } from '../encoding/encoder.ts';
import { defaultQualities } from '../encoding/qualities.ts';
import { randomWorkload } from './random.ts';

test('random bytes do not compress alone, and with the older version as dictionary they do', async () => {
  const { resource, dictionary } = randomWorkload(200_000);
  expect(resource).toHaveLength(200_000);
  expect(deflateSync(resource).length).toBeGreaterThan(200_000);
  const changed = resource.filter((byte, at) => byte !== dictionary[at]).length;
  expect(changed / resource.length).toBeCloseTo(0.01, 2);
  for (const coding of ['dcb', 'dcz'] as const) {
    const encoded = await encode(coding, resource, defaultQualities, dictionary);
    expect(encoded.length).toBeLessThan(0.05 * resource.length);
  }
});
