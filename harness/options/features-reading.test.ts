import { expect, test } from 'vitest';
import { recompressed } from '@cachescope/model/sweep/recompressed.ts';
import { variantSchema } from '@cachescope/model/run/variant.ts';
import { browserChoice } from '../browser/settings.ts';
import { featurePresets } from '../browser/feature-presets.ts';
import { readFeatureSettings, readFeatureVariants } from './features-reading.ts';

function problemsOf(text: string, read: typeof readFeatureSettings | typeof readFeatureVariants) {
  const problems: string[] = [];
  read(text, '--features', problems);
  return problems.join('\n');
}

test('the unchanged browser, then a variant for each preset and value', () => {
  const problems: string[] = [];
  const text = 'recompress,sql-wal,sql-shards:1,3,8,prioritized-caching:off';
  expect(readFeatureVariants(text, '--features', problems)).toEqual([
    { name: 'stock' },
    { name: 'recompress', enabledFeatures: recompressed.enabledFeatures },
    { name: 'sql-wal', diskCache: 'sql', diskCacheParameters: { SqlDiskCacheWalMode: 'true' } },
    ...['1', '3', '8'].map((shards) => ({
      name: `sql-shards=${shards}`,
      diskCache: 'sql',
      diskCacheParameters: { SqlDiskCacheShardCount: shards },
    })),
    { name: 'prioritized-caching=off', disabledFeatures: ['SimpleCachePrioritizedCaching'] },
  ]);
  expect(problems).toEqual([]);
});

test('parameters are merged into the switch that selects the back end: Chromium uses only the first one of a feature', () => {
  const settings = readFeatureSettings(
    'sql-shards:8,sql-wal,renderer-accessible',
    '--features',
    [],
  );
  expect(browserChoice(settings).extra).toEqual([
    '--enable-features=DiskCacheBackendExperiment:backend/sql/SqlDiskCacheShardCount/8/SqlDiskCacheWalMode/true',
    '--enable-features=RendererAccessibleHttpCache',
  ]);
});

test('every preset makes a variant with a valid name', () => {
  for (const { name, parameter } of featurePresets) {
    const text = parameter?.is === 'number' ? `${name}:2` : `${name}:off`;
    const [, variant] = readFeatureVariants(text, '--features', []);
    expect(variantSchema.parse(variant).name).toBe(text.replace(':', '='));
  }
});

test.each([
  ['quick', '"quick"; known are recompress, sql-wal'],
  ['recompress:yes', 'recompress is "yes"; it must be on or off'],
  ['sql-shards', 'needs a number, such as sql-shards:1,3,8'],
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
