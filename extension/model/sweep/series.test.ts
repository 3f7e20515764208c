import { expect, test } from 'vitest';
import { isSameSeries, pairsOf, seriesName, seriesOf } from './series.ts';

const workload = { title: 'w', resourceBytes: 1, resourceSha256: '', dictionaryBytes: 1 };
const plan = {
  arms: ['br' as const, 'dcb' as const],
  workloads: [
    { ...workload, name: 'big' },
    { ...workload, name: 'big.delta', arms: ['identity' as const] },
  ],
};

test('every arm of every workload in every variant is one series', () => {
  const variants = [{ name: 'stock' }, { name: 'patched' }];
  const all = seriesOf({ ...plan, variants });
  expect(all.map(seriesName)).toEqual([
    'Brotli (big, stock)',
    'DCB (big, stock)',
    'Identity (big.delta, stock)',
    'Brotli (big, patched)',
    'DCB (big, patched)',
    'Identity (big.delta, patched)',
  ]);
  expect(all.filter((one) => all.some((other) => isSameSeries(one, other)))).toHaveLength(6);
  expect(seriesOf({ arms: plan.arms }).map(seriesName)).toEqual(['Brotli', 'DCB']);
});

test('arms are compared within a workload; a workload without the baseline arm has no comparison', () => {
  expect(pairsOf(plan)).toEqual([
    {
      between: 'arms',
      of: { arm: 'dcb', workload: 'big' },
      against: { arm: 'br', workload: 'big' },
    },
  ]);
});

test('recompressed series exist for the dictionary arms, and are compared with these arms and the baseline', () => {
  const three = { ...plan, recompress: true };
  expect(seriesOf(three).map(seriesName)).toEqual([
    'Brotli (big)',
    'DCB (big)',
    'Identity (big.delta)',
    'DCB recompressed (big)',
  ]);
  const pairs = pairsOf(three).map(({ of, against }) => [seriesName(of), seriesName(against)]);
  expect(pairs).toEqual([
    ['DCB (big)', 'Brotli (big)'],
    ['DCB recompressed (big)', 'DCB (big)'],
    ['DCB recompressed (big)', 'Brotli (big)'],
  ]);
  expect(pairsOf({ ...three, arms: ['dcb'], workloads: undefined })).toHaveLength(1);
});
