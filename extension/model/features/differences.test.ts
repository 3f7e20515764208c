import { expect, test } from 'vitest';
import { baselineOf, differsInSeveral, settingDifferences } from './differences.ts';
import { recompressFeatures } from './presets.ts';

test.each([
  ['the default and its name', {}, { diskCache: 'simple', fileSystem: 'ext4' }, []],
  ['a back end', {}, { diskCache: 'sql' }, ['disk cache']],
  [
    'a back end and a feature',
    {},
    { diskCache: 'sql', enabledFeatures: ['A'] },
    ['disk cache', 'A'],
  ],
  ['the value of a flag', { flags: ['--a=1'] }, { flags: ['--a=2'] }, ['--a']],
  ['two flags', { flags: ['--a'] }, { flags: ['--b'] }, ['--a', '--b']],
  ['a feature on and off', { enabledFeatures: ['A'] }, { disabledFeatures: ['A'] }, ['A']],
  ['a parameter of a feature', { enabledFeatures: ['A'] }, { enabledFeatures: ['A:p/1'] }, ['A']],
  [
    'the features of one preset',
    {},
    { enabledFeatures: [...recompressFeatures] },
    [recompressFeatures.join(' with ')],
  ],
  [
    'one of these features',
    { enabledFeatures: recompressFeatures.slice(1) },
    { enabledFeatures: [...recompressFeatures] },
    [recompressFeatures[0]],
  ],
  ['an environment variable', {}, { environment: { A: '1' } }, ['A']],
  ['read-ahead of 0', {}, { readAheadKiB: 0 }, ['read-ahead']],
] as const)('%s', (_, one, other, differences) => {
  const [first, second] = [one, other] as never[];
  expect(settingDifferences(first as never, second as never)).toEqual(differences);
  const turned = settingDifferences(second as never, first as never);
  expect(new Set(turned)).toEqual(new Set(differences));
});

test('a variant is compared with the first earlier one that differs in one thing', () => {
  const variants = [
    { name: 'simple+0', diskCache: 'simple' as const, readAheadKiB: 0 },
    { name: 'simple+128', diskCache: 'simple' as const, readAheadKiB: 128 },
    { name: 'sql+0', diskCache: 'sql' as const, readAheadKiB: 0 },
    { name: 'sql+128', diskCache: 'sql' as const, readAheadKiB: 128 },
    { name: 'far', diskCache: 'blockfile' as const, browser: '/b', readAheadKiB: 64 },
  ];
  const names = variants.map(({ name }) => baselineOf({ variants }, name)?.name);
  expect(names).toEqual([undefined, 'simple+0', 'simple+0', 'simple+128', 'simple+0']);
});

test('only a pair that differs in two things and more is named as such', () => {
  expect([[], ['A'], ['A', 'B']].map((each) => differsInSeveral(each) === null)).toEqual([
    true,
    true,
    false,
  ]);
});
