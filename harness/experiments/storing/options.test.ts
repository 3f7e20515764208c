import { expectedHitRate } from '@cachescope/model/reclaim/zipf.ts';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { expect, test } from 'vitest';
import { loadsOf } from './launch-size.ts';
import { plannedSteps } from './passes.ts';
import { storingOptions } from './options.ts';

test('by default Chromium as it is and with recompression, six launches of each', () => {
  const { asked, problems } = storingOptions.read({ seed: '1' });
  const { plan } = asked;
  expect(problems).toEqual([]);
  expect(plan).toEqual({
    variants: [
      { name: 'stock' },
      { name: 'recompress', enabledFeatures: recompressed.enabledFeatures },
    ],
    codings: ['dcb', 'dcz'],
    sizesBytes: [10_240, 102_400, 1_048_576, 10_485_760],
    bodies: ['text', 'random'],
    tenBytes: 1_048_576,
    limitBytes: 10_485_760,
    launches: 6,
    seed: 1,
  });
  expect(plannedSteps(plan)).toBe(18);
});

test('the replayed traffic: about a third of hits for the entries that fit without recompression', () => {
  const { asked, problems } = storingOptions.read({ sizes: '100KiB', replay: '3000' });
  const { replay } = asked.plan;
  expect(problems).toEqual([]);
  expect(replay).toEqual({
    requests: 3000,
    rateHz: 30,
    skew: 0.8,
    keys: 1200,
    limitBytes: 10_240_000,
  });
  // Chromium evicts from 95 to 90 % of its limit.
  const cache = { skew: 0.8, population: 1200, capacity: 0.93 * 100, requests: 1e6 };
  expect(expectedHitRate(cache)).toBeCloseTo(0.34, 2);
  expect(plannedSteps(asked.plan)).toBe(24);
});

test('about as many bytes of each size are loaded', () => {
  expect([1024, 2 ** 20, 10 * 2 ** 20].map(loadsOf)).toEqual([20, 10, 3]);
});

test('sizes that would fill the caches of a launch are refused', () => {
  expect(storingOptions.read({ sizes: '1MiB,32MiB' }).problems).toEqual([]);
  expect(storingOptions.read({ sizes: '32MiB', replay: '3000' }).problems).toEqual([
    '--sizes has none up to 1MiB; ten of the largest up to that are stored at once',
  ]);
  const large = ['1MiB', ...Array.from({ length: 8 }, (_, index) => `${24 + index}MiB`)].join(',');
  expect(storingOptions.read({ sizes: large }).problems).toEqual([
    expect.stringMatching(/^--sizes: each browser would store 3\.\d+ GiB in a cache of 1 GiB; /),
  ]);
});

test('all problems are reported at once', () => {
  const { problems } = storingOptions.read({
    arms: 'br',
    sizes: '1B',
    replay: '99',
    launches: '0',
  });
  expect(problems.join('\n')).toMatch(/--arms names "br"; known are dcb, dcz/);
  expect(problems).toHaveLength(4);
});
