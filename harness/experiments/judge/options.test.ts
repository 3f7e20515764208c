import { expect, test } from 'vitest';
import { judgeOptions } from './options.ts';

const read = (texts: Record<string, string | boolean>) =>
  judgeOptions.read({ seed: '1', ...texts });
const sides = (texts: Record<string, string | boolean>) => {
  const { asked, problems } = read(texts);
  return { variants: asked.plan.variants, settings: asked.plan.settings, problems };
};

test.each([
  [
    { diskCache: 'sql' },
    [{ name: 'stock' }, { name: 'disk-cache=sql', diskCache: 'sql' }],
    undefined,
  ],
  [{ flags: '--a=b c' }, [{ name: 'stock' }, { name: 'flags', flags: ['--a=b c'] }], undefined],
  [
    { browserB: process.execPath, diskCache: 'sql' },
    [{ name: 'stock' }, { name: 'browser-b', browser: process.execPath }],
    { diskCache: 'sql' },
  ],
  [
    { features: 'sql-wal' },
    [
      { name: 'disk-cache=sql', diskCache: 'sql' },
      { name: 'sql-wal', diskCache: 'sql', diskCacheParameters: { SqlDiskCacheWalMode: 'true' } },
    ],
    undefined,
  ],
])('%j: the baseline differs from the candidate in one thing', (texts, variants, settings) => {
  expect(sides(texts)).toEqual({ variants, settings, problems: [] });
});

test('situations that set a back end are left out where the sides do', () => {
  const named = (texts: Record<string, string>) =>
    read(texts).asked.plan.situations.filter((name) => name.startsWith('back end'));
  expect(named({ features: 'recompress' })).toHaveLength(12);
  expect(named({ diskCache: 'sql' })).toEqual([]);
  expect(named({ features: 'sql-wal' })).toEqual([]);
});

test('a quick run has fewer situations and rounds', () => {
  const [whole, quick, more] = [{}, { quick: true }, { quick: true, rounds: '5' }].map(
    (texts) => read({ features: 'recompress', ...texts }).asked.plan,
  );
  expect(quick?.situations.length).toBeLessThan(whole?.situations.length ?? 0);
  expect([whole?.rounds, quick?.rounds, more?.rounds]).toEqual([3, 2, 5]);
});

test('the cost is measured with the settings of both sides, and a gate needs its part', () => {
  const { asked } = read({ features: 'recompress', diskCache: 'simple', parts: 'cost' });
  expect(asked.plan.situations).toEqual([]);
  expect(asked.plan.cost?.variants.map(({ diskCache }) => diskCache)).toEqual(['simple', 'simple']);
  expect(read({ features: 'recompress' }).asked.plan.cost).toBeUndefined();
  const { problems } = read({ features: 'recompress', gate: 'cost' });
  expect(problems).toEqual(['--gate cost needs --parts cost']);
});

test('a directory is no candidate', () => {
  expect(read({ browserB: '/' }).problems).toEqual([
    '--browser-b / is no program that this user may run',
  ]);
});

test('all problems are told at once', () => {
  const { problems } = read({
    features: 'recompress,no-vary-search',
    flags: 'x',
    browserB: '/no/such/browser',
    parts: 'cost,x',
    situations: 'no such words',
    rounds: '1',
    gate: 'x',
  });
  for (const words of [
    'names 2 variants',
    'it must be switches',
    '/no/such/browser does not exist',
    'known are conformance, cost',
    'topics are codings',
    '--rounds is "1"',
    '--gate is "x"',
    'differs in two things',
  ])
    expect(problems.join('\n')).toContain(words);
  expect(read({}).problems.join()).toContain('no change is named');
  expect(read({ diskCache: 'simple' }).problems.join()).toContain('the browser as it is');
  expect(read({ flags: '--a --b' }).problems.join()).toContain('differ in 2 things (--a, --b)');
  expect(read({ resume: 'a' }).problems).toEqual([]);
});
