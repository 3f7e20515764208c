import { expect, test } from 'vitest';
import { baselineOf, variantDifferences } from '@cachescope/model/features/differences.ts';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { variantSchema } from '@cachescope/model/run/variant.ts';
import { browserChoice } from '../browser/settings.ts';
import { featurePresets } from '@cachescope/model/features/presets.ts';
import { readFeatureSettings, readFeatureVariants } from './features-reading.ts';

function problemsOf(text: string, read: typeof readFeatureSettings | typeof readFeatureVariants) {
  const problems: string[] = [];
  read(text, '--features', problems);
  return problems.join('\n');
}

const sql = { name: 'disk-cache=sql', diskCache: 'sql' };

test('the unchanged browser, the back end that presets need, then a variant for each preset and value', () => {
  const problems: string[] = [];
  const text = 'recompress,sql-wal,sql-shards:1,8,no-vary-search';
  expect(readFeatureVariants(text, '--features', problems)).toEqual([
    { name: 'stock' },
    sql,
    { name: 'recompress', enabledFeatures: recompressed.enabledFeatures },
    { name: 'sql-wal', diskCache: 'sql', diskCacheParameters: { SqlDiskCacheWalMode: 'true' } },
    ...['1', '8'].map((shards) => ({
      name: `sql-shards=${shards}`,
      diskCache: 'sql',
      diskCacheParameters: { SqlDiskCacheShardCount: shards },
    })),
    { name: 'no-vary-search=off', disabledFeatures: ['HttpCacheNoVarySearch'] },
  ]);
  expect(problems).toEqual([]);
});

test('every preset, alone and beside others, is compared with a browser that differs in this preset only', () => {
  const words = featurePresets.map(({ name, parameter }) =>
    parameter?.is === 'number' ? `${name}:1,8` : name,
  );
  for (const text of [...words, words.join(',')])
    for (const settings of [{}, { diskCache: 'sql' as const }]) {
      const variants = readFeatureVariants(text, '--features', [], settings);
      for (const { name } of variants.slice(1)) {
        const plan = { variants, settings };
        const baseline = baselineOf(plan, name)?.name;
        expect(variantDifferences(plan, baseline, name), `${name} of ${text}`).toHaveLength(1);
      }
      expect(variants.filter(({ name }) => name === sql.name)).toHaveLength(
        text.includes('sql') && !('diskCache' in settings) ? 1 : 0,
      );
    }
});

test('parameters are merged into the switch that selects the back end: Chromium uses only the first one of a feature', () => {
  const settings = readFeatureSettings('sql-shards:8,sql-wal,recompress', '--features', []);
  expect(browserChoice(settings).extra).toEqual([
    '--enable-features=DiskCacheBackendExperiment:backend/sql/SqlDiskCacheShardCount/8/SqlDiskCacheWalMode/true',
    `--enable-features=${recompressed.enabledFeatures.join(',')}`,
  ]);
});

test('every preset makes a variant with a valid name', () => {
  for (const { name, parameter, isOnByDefault } of featurePresets) {
    const text =
      parameter?.is === 'number' ? `${name}:2` : `${name}:${isOnByDefault ? 'off' : 'on'}`;
    const variant = readFeatureVariants(text, '--features', []).at(-1);
    expect(variantSchema.parse(variant).name).toBe(text.replace(':', '=').replace('=on', ''));
  }
});

test.each([
  ['quick', '"quick"; known are recompress, sql-wal'],
  ['recompress:yes', 'recompress is "yes"; it must be on'],
  ['recompress:off', 'recompress:off is the browser as it is; the preset is on'],
  ['no-vary-search:on', 'no-vary-search:on is the browser as it is; the preset is off'],
  [
    'renderer-accessible',
    'no run can show it in effect: RendererAccessibleHttpCache keeps nothing',
  ],
  ['sql-shards', 'needs a number, such as sql-shards:1,8'],
  ['sql-shards:0', 'from 1 to 255'],
  ['sql-shards:3:9', '"sql-shards:3:9"; known are'],
  ['sql-wal,sql-wal', 'names a preset twice'],
  ['recompress,3', '"3"; known are'],
])('%s is a problem', (text, problem) => {
  expect(problemsOf(text, readFeatureVariants)).toContain(problem);
});

test('a run with one browser has one value of a preset', () => {
  expect(problemsOf('sql-shards:1,3', readFeatureSettings)).toContain('one value each');
});
