import { expect, test } from 'vitest';
import type { Settings } from '../run/variant.ts';
import { effectsBetween, histogramsNeeded } from './effect.ts';
import type { ObservedCache } from './evidence.ts';
import { featurePresets, recompressFeatures } from './presets.ts';

const lookUps = 'HttpCache.NoVarySearch.LookupTime';
const loads = 'Net.SqlDiskCache.Backend.LoadInMemoryIndexTime';

function cache(rest: Partial<ObservedCache> = {}): ObservedCache {
  const stored = [{ arm: 'dcb' as const, storedBytes: 1010, decodedBytes: 1000 }];
  return { stored, databases: [], histograms: { [lookUps]: 9, [loads]: 0 }, ...rest };
}

const rollback = { isWriteAhead: false };
const sql = (parameter: string, value: string): Settings => ({
  diskCache: 'sql',
  diskCacheParameters: { [parameter]: value },
});

/** The settings of each preset, and what a browser shows with and without it. */
const situations: Record<string, [Settings, ObservedCache, ObservedCache]> = {
  recompress: [
    { enabledFeatures: [...recompressFeatures] },
    cache({ stored: [{ arm: 'dcb', storedBytes: 300, decodedBytes: 1000 }] }),
    cache(),
  ],
  'sql-wal': [
    sql('SqlDiskCacheWalMode', 'true'),
    cache({ databases: [{ isWriteAhead: true }] }),
    cache({ databases: [rollback] }),
  ],
  'sql-load-index': [
    sql('SqlDiskCacheLoadIndexOnInit', 'true'),
    cache({ histograms: { [loads]: 3 } }),
    cache(),
  ],
  'sql-shards': [
    sql('SqlDiskCacheShardCount', '1'),
    cache({ databases: [rollback] }),
    cache({ databases: [rollback, rollback, rollback] }),
  ],
  'no-vary-search': [
    { disabledFeatures: ['HttpCacheNoVarySearch'] },
    cache({ histograms: { [lookUps]: 0 } }),
    cache(),
  ],
};

test.each(featurePresets.map(({ name }) => name))(
  '%s is in effect only where its evidence is seen, and not without it',
  (name) => {
    const [settings, present, lacking] = situations[name] ?? [];
    if (!settings || !present || !lacking) throw new Error(`no situation of ${name}`);
    const shown = (of: ObservedCache[], against: ObservedCache[]) =>
      effectsBetween({ settings, caches: of }, { settings: {}, caches: against });
    expect(shown([present], [lacking])).toEqual([
      { isShown: true, text: expect.stringMatching(`^${name}.* was in effect \\(`) },
    ]);
    for (const [of, against] of [
      [[lacking], [lacking]],
      [[present], [present]],
      [[present, lacking], [lacking]],
      [[], [lacking]],
      [[present], []],
    ] as const)
      expect(shown([...of], [...against])).toEqual([
        { isShown: false, text: expect.stringContaining('is not shown to be in effect (') },
      ]);
  },
);

test('histograms that could not be read show nothing', () => {
  const settings = { disabledFeatures: ['HttpCacheNoVarySearch'] };
  const caches = [cache({ histograms: null })];
  expect(histogramsNeeded([settings, {}])).toEqual([lookUps]);
  expect(effectsBetween({ settings, caches }, { settings: {}, caches: [cache()] })).toEqual([
    { isShown: false, text: expect.stringContaining('was not read') },
  ]);
});

test('a preset of both sides is no difference between them', () => {
  const settings = { enabledFeatures: [...recompressFeatures] };
  expect(effectsBetween({ settings, caches: [] }, { settings, caches: [] })).toEqual([]);
});
