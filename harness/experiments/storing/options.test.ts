import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { expect, test } from 'vitest';
import { loadsOf, plannedSteps } from './measurement.ts';
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

test('about as many bytes of each size are loaded', () => {
  expect([1024, 2 ** 20, 10 * 2 ** 20].map(loadsOf)).toEqual([20, 10, 3]);
});

test('all problems are reported at once', () => {
  const { problems } = storingOptions.read({ arms: 'br', sizes: '1B', launches: '0' });
  expect(problems.join('\n')).toMatch(/--arms names "br"; known are dcb, dcz/);
  expect(problems).toHaveLength(3);
});
